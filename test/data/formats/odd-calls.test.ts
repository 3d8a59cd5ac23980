import { expect, test } from 'vitest'
import { readText, rejectionsOf } from '../trajectories/read-text.ts'
import { readOne } from './read-one.ts'

const ask = 'Find the weather.'

test('a message that has its action already is left as it is, and so is one whose last line is the call', async () => {
  const step = (message: string, action: string) => ({
    schema_version: 'ATIF-v1.6',
    agent: { name: 'a' },
    steps: [
      { source: 'user', message: ask },
      {
        source: 'agent',
        message,
        tool_calls: [{ tool_call_id: 'c', function_name: 'act', arguments: { action } }],
        observation: { results: [{ content: 'x' }] },
      },
    ],
  })
  for (const message of ['Thought: go.\nAction: inventory', 'I look.\ninventory', 'Action 1: inventory']) {
    const { nodes } = await readOne({ format: 'atif', row: step(message, 'inventory') })
    expect(nodes[1]).toMatchObject({ action: 'inventory', message })
  }
  const { nodes } = await readOne({ format: 'atif', row: step('I look at my inventory now.', 'inventory') })
  expect(nodes[1]?.message).toBe('I look at my inventory now.\nAction: inventory')
})

test.each([
  ['a call without a name', { tool_calls: [{ function: { arguments: '{}' } }] }, 'messages[1].tool_calls[0]'],
  ['calls that are no list', { tool_calls: 'get' }, 'messages[1].tool_calls'],
  ['arguments that are a number', { tool_calls: [{ name: 'a', arguments: 1 }] }, 'messages[1].tool_calls[0]'],
  ['a part that is a video', { content: [{ type: 'video', url: 'x' }] }, 'messages[1].content[0]'],
  ['a content that is a number', { content: 7 }, 'messages[1].content'],
  ['no content at all', {}, 'messages[1].content'],
  ['a flag that is a word', { content: 'x', weight: 'much' }, 'messages[1].weight'],
])('%s is refused by name', async (_, answer, field) => {
  const row = {
    messages: [
      { role: 'user', content: ask },
      { role: 'assistant', ...answer },
    ],
  }
  const { rejected } = rejectionsOf(await readText(JSON.stringify(row), { format: 'openai' }))
  expect(rejected).toMatchObject([{ field }])
})

test('two results of one call, and a call that no result answers, are two turns in a row', async () => {
  const call = { tool_calls: [{ name: 'a', arguments: {} }] }
  const rowOf = (...turns: object[]) => ({ messages: [{ role: 'user', content: ask }, ...turns] })
  const rows = [
    rowOf({ role: 'assistant', ...call }, { role: 'tool', content: 'x' }, { role: 'tool', content: 'y' }),
    rowOf({ role: 'assistant', ...call }, { role: 'assistant', content: 'Done.' }),
    rowOf({ role: 'assistant', ...call }, { role: 'assistant', ...call }),
  ]
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  const { rejected } = rejectionsOf(await readText(text, { format: 'openai' }))
  expect(rejected.map(({ field }) => field)).toEqual(['messages[3]', 'messages[2]', 'messages[2]'])
})

test('calls within the text, as Hermes and others write them, are the action of an answer without a label', async () => {
  const answers = [
    'Let me see.\n<tool_call>\n{"name": "get", "arguments": {"a": 1}}\n</tool_call>',
    '<think>\n<tool_call>{"name": "no", "arguments": {}}</tool_call>\n</think>\n<tool_call>{"name": "a", "arguments": "{}"}</tool_call><tool_call>{"name": "b", "arguments": {}}</tool_call>',
    '[TOOL_CALLS][{"name": "a", "arguments": {}}, {"name": "b", "arguments": {"x": "y"}}]',
    '<tool_call>{"name": "act", "arguments": {"action": "inventory"}}</tool_call>',
  ]
  const turns = answers.flatMap((value) => [
    { from: 'gpt', value },
    { from: 'tool', value: 'Done.' },
  ])
  const row = {
    conversations: [
      { from: 'human', value: 'RULES' },
      { from: 'gpt', value: 'OK' },
      { from: 'human', value: ask },
      ...turns,
    ],
  }
  const { messages, nodes } = await readOne({ format: 'llama-factory', row })
  expect(messages).toHaveLength(3)
  expect(nodes.slice(1).map(({ action }) => action)).toEqual([
    'get {"a":1}',
    'a {}\nb {}',
    'a {}\nb {"x":"y"}',
    'inventory',
  ])
  expect(nodes.slice(1).map(({ message }) => message)).toEqual(answers)
})

test('the result of a tool may be empty, and may be JSON', async () => {
  const tool = (content: unknown) => [
    { role: 'assistant', content: '', tool_calls: [{ name: 'ls', arguments: '' }] },
    { role: 'tool', content },
  ]
  const row = { messages: [{ role: 'user', content: ask }, ...tool(''), ...tool({ files: 2 })] }
  const { nodes } = await readOne({ format: 'openai', row })
  expect(nodes.slice(1).map(({ action, observation }) => [action, observation])).toEqual([
    ['ls {}', [{ type: 'text', text: '' }]],
    ['ls {}', [{ type: 'text', text: '{"files":2}' }]],
  ])
})

test('a text after the result of a tool stands on a line of its own, and calls may be JSON in a text', async () => {
  const row = {
    messages: [
      { role: 'user', content: ask },
      { role: 'assistant', content: 'I call.', tool_calls: '[{"name":"f","arguments":{}}]' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: 'Done.' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ],
  }
  const { nodes } = await readOne({ format: 'openai', row })
  expect(nodes[1]).toMatchObject({
    action: 'f {}',
    message: 'I call.\nAction: f {}',
    observation: [{ type: 'text', text: 'Done.\nGo on.' }],
  })
})

test('reasoning before the first action stays with its message, and nothing of it is learned', async () => {
  const row = {
    messages: [
      { role: 'user', content: 'RULES' },
      { role: 'assistant', content: 'OK', reasoning_content: 'They have rules.' },
      { role: 'user', content: ask },
      { role: 'assistant', content: 'Action: look', reasoning: { text: 'I look.' } },
    ],
  }
  const tree = await readOne({ format: 'openai', row })
  expect(tree.messages[1]).toEqual({ role: 'assistant', content: 'OK', reasoning: 'They have rules.' })
  expect(tree.nodes[1]).toMatchObject({ message: 'Action: look', reasoning: 'I look.', action: 'look' })
})
