import { describe, expect, test } from 'vitest'
import type { ActionTool } from '../../../shared/environments/tools/action-tool.ts'
import { readTextCalls } from '../../../shared/play/answers/read-text-calls.ts'
import { writeAnswer } from '../../../shared/play/answers/write-calls.ts'
import { readCallAnswer, showCallTurn, uncalledAnswer } from '../../../shared/play/methods/tool-dialect.ts'

const get: ActionTool = {
  name: 'get',
  description: 'Fetches.',
  schema: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1 }, item: { type: 'string' } },
    required: ['count', 'item'],
    additionalProperties: false,
  },
  action: 'get {count} {item}',
}
const path = { tools: [get], branches: false }
const search = { tools: [get], branches: true }
const native = (given: string, name = 'get') => ({
  id: 'x',
  type: 'function' as const,
  function: { name, arguments: given },
})

describe('a call in the text of an answer', () => {
  test.each([
    [
      'hermes',
      'I need wood.\n<tool_call>\n{"name": "get", "arguments": {"count": 2, "item": "log"}}\n</tool_call>',
    ],
    [
      'hermes',
      '<tool_call>{"name": "get", "arguments": "{\\"count\\": 2, \\"item\\": \\"log\\"}"}</tool_call>',
    ],
    [
      'qwen-xml',
      '<tool_call>\n<function=get>\n<parameter=count>\n2\n</parameter>\n<parameter=item>\nlog\n</parameter>\n</function>\n</tool_call>',
    ],
    ['llama', '<function=get>{"count": 2, "item": "log"}</function>'],
    ['llama', '<|python_tag|>{"name": "get", "parameters": {"count": 2, "item": "log"}}<|eom_id|>'],
    ['mistral', '[TOOL_CALLS] [{"name": "get", "arguments": {"count": 2, "item": "log"}}]'],
    ['mistral', '[TOOL_CALLS]get[ARGS]{"count": 2, "item": "log"}'],
    ['phi', '<|tool_call|>[{"name": "get", "arguments": {"count": 2, "item": "log"}}]<|/tool_call|>'],
    ['json', '{"name": "get", "parameters": {"count": 2, "item": "log"}}'],
    ['json', 'I need wood.\n```json\n{"name": "get", "arguments": {"count": 2, "item": "log"}}\n```'],
    [
      'hermes',
      '<think><tool_call>{"name": "get", "arguments": {"count": 9, "item": "coal"}}</tool_call></think><tool_call>{"name": "get", "arguments": {"count": 2, "item": "log"}}</tool_call>',
    ],
  ])('is read in the notation of %s: %s', (format, content) => {
    expect(readTextCalls(content).format).toBe(format)
    expect(readCallAnswer({ content }, path, 'e')).toMatchObject({ action: 'get 2 log', effect: 'e' })
  })

  test.each([
    '<think>I call <tool_call>{"name": "get", "arguments": {"count": 9, "item": "coal"}}</tool_call></think>',
    'Action: get 2 log',
    '',
  ])('is none in %j', (content) => {
    expect(readCallAnswer({ content }, path, 'e')).toMatchObject({
      action: '',
      complaint: uncalledAnswer,
      unnamed: true,
    })
  })
})

test('a call in the text whose JSON is malformed keeps the answer, and its feedback says so', () => {
  const content = 'Wood.\n<tool_call>\n{"name": "get", "arguments": {"count": 2\n</tool_call>'
  expect(readCallAnswer({ content }, path, 'e')).toMatchObject({
    message: content,
    action: '',
    complaint: expect.stringContaining('cannot be read'),
  })
})

describe('a call in the field of an answer', () => {
  test.each([
    ['{"count": 2, "item"', 'The arguments of get are no JSON object.'],
    ['{"item": "log"}', 'The arguments of get do not fit. "count"'],
  ])('whose arguments are %j costs a turn, and its feedback says why', (given, complaint) => {
    const proposal = readCallAnswer({ content: '', tool_calls: [native(given)] }, path, 'e')
    expect(proposal).toMatchObject({ action: '', complaint: expect.stringContaining(complaint) })
    expect(proposal.unnamed).toBeUndefined()
  })

  test.each(['', ' '])('without arguments is made and written as one with none: %j', (given) => {
    const look: ActionTool = {
      ...get,
      name: 'look',
      schema: { type: 'object', properties: {} },
      action: 'look',
    }
    const offered = { tools: [look], branches: false }
    const answer = { content: '', tool_calls: [native(given, 'look')] }
    expect(readCallAnswer(answer, offered, 'e')).toMatchObject({
      action: 'look',
      message: '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>',
    })
    const cut = readCallAnswer({ ...answer, finish_reason: 'length' }, offered, 'e')
    expect(cut).toMatchObject({ action: '', complaint: expect.stringContaining('cut off') })
  })

  test('of a tool that is not there names those that are', () => {
    expect(readCallAnswer({ content: '', tool_calls: [native('{}', 'jump')] }, path, 'e').complaint).toBe(
      'There is no tool "jump". The tools are: get.',
    )
  })

  test('is one of several that a path makes in their order, and a search refuses', () => {
    const tool_calls = [native('{"count": 1, "item": "log"}'), native('{"count": 2, "item": "coal"}')]
    const { more, ...first } = readCallAnswer({ content: 'Both.', tool_calls }, path, 'e')
    expect(first).toMatchObject({ action: 'get 1 log', effect: 'e' })
    expect(more).toMatchObject([{ action: 'get 2 coal', effect: 'e/call/1' }])
    expect(readCallAnswer({ content: '', tool_calls }, search, 'e')).toMatchObject({
      action: '',
      complaint: expect.stringContaining('One call at a time'),
    })
  })
})

test('an answer with a call is shown as one message, with the observation as the answer to the call', () => {
  const tool_calls = [native('{"count": 2, "item": "</tool_call>"}')]
  const message = writeAnswer('I need wood.', tool_calls)
  const turn = showCallTurn([{ node: { index: 7, message }, observed: { content: 'Got 2 log' } }])
  expect(turn).toEqual([
    {
      role: 'assistant',
      content: 'I need wood.',
      tool_calls: [
        {
          id: 'call00007',
          type: 'function',
          function: { name: 'get', arguments: '{"count":2,"item":"</tool_call>"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call00007', content: 'Got 2 log' },
  ])
})

test('the words between calls are kept without filler for the calls', () => {
  const call = (action: string) =>
    `<tool_call>\n{"name": "get", "arguments": {"count": 1, "item": "${action}"}}\n</tool_call>`
  const content = `First ${call('log')} then\n${call('coal')} end.`
  expect(readTextCalls(content).words).toBe('First  then\n end.')
  const [answer] = showCallTurn([
    { node: { index: 1, message: `Words.\nMore ${call('log')}` }, observed: { content: 'Got.' } },
  ])
  expect(answer?.content).toBe('Words.\nMore')
})
