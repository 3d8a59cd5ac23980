import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roleOf } from '../../../shared/data/formats/roles.ts'
import { readText, rejectionsOf, trajectoriesOf } from '../trajectories/read-text.ts'

const users = [
  'user',
  'human',
  'observation',
  'tool',
  'function',
  'function_response',
  'ipython',
  'tool_response',
]
const models = ['assistant', 'gpt', 'model', 'ai', 'chatgpt', 'bing', 'bard', 'agent', 'function_call']
const versions = [
  'gpt-4o',
  'gpt_3.5_turbo',
  'claude-3-opus',
  'deepseek',
  'Llama-3.3-70B',
  'qwen2.5',
  'chatgpt_4o',
]
const systems = ['system', 'developer']

/** A name as some file writes it: another case, hyphens or spaces. */
const dressed = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.infiniteStream(fc.boolean()), fc.constantFrom('_', '-', ' '))
    .map(([name, upper, between]) =>
      [...name]
        .map((letter) => (upper.next().value === true ? letter.toUpperCase() : letter))
        .join('')
        .replaceAll('_', between),
    )

test('a role is known in any case, by every name that trainers’ files use', () => {
  for (const [names, role] of [
    [users, 'user'],
    [models, 'assistant'],
    [versions, 'assistant'],
    [systems, 'system'],
  ] as const) {
    fc.assert(
      fc.property(dressed(names), (name) => {
        expect(roleOf(name, 'from').role).toBe(role)
      }),
    )
  }
  expect(() => roleOf('robot', 'turns[0].from')).toThrow('unknown role "robot". Known: system, developer')
  expect(() => roleOf('__proto__', 'from')).toThrow('unknown role')
})

test.each(['eto', 'llama-factory', 'agenttraj', 'openai', 'trl', 'axolotl', 'agent-r', 'parquet'] as const)(
  '%s reads the same conversation under any names, with contents as texts or parts',
  async (format) => {
    const rowOf = (turns: object[]) => ({
      ...{ id: 1, item_id: 'textcraft_1', type: 'conversation', task_num: 1 },
      ...(format === 'agent-r' ? { revise_log: turns } : {}),
      ...(['eto', 'llama-factory', 'agenttraj'].includes(format) ? { conversations: turns } : {}),
      ...(format === 'trl' ? { prompt: turns.slice(0, 2), completion: turns.slice(2) } : {}),
      ...(['openai', 'axolotl', 'parquet'].includes(format) ? { messages: turns } : {}),
    })
    const names = fc.tuple(
      dressed(systems),
      dressed(users),
      dressed(['gpt', 'bing', 'chatgpt']),
      dressed(users),
    )
    const shape = fc.record({
      isParts: fc.boolean(),
      role: fc.constantFrom('role', 'from'),
      content: fc.constantFrom('content', 'value'),
    })
    const texts = ['RULES', 'Goal: a stick.', 'Thought: t\nAction: craft', 'Crafted.']
    await fc.assert(
      fc.asyncProperty(names, shape, async (roles, { isParts, role, content }) => {
        const turns = roles.map((name, index) => {
          const text = texts[index] ?? ''
          const parts = [
            { type: 'text', text: text.slice(0, 2) },
            { type: 'text', text: text.slice(2) },
          ]
          return { [role]: name, [content]: isParts ? parts : text }
        })
        const [found] = trajectoriesOf(await readText(JSON.stringify(rowOf(turns)), { format }))
        expect(found?.tree.messages).toEqual([
          { role: 'system', content: texts[0] },
          { role: 'user', content: texts[1] },
        ])
        expect(found?.tree.nodes[1]).toMatchObject({
          action: 'craft',
          message: texts[2],
          observation: [{ type: 'text', text: texts[3] }],
        })
      }),
      { numRuns: 30 },
    )
  },
)

test('the system text of Anthropic’s requests, beside the messages, is read', async () => {
  const row = {
    system: [{ type: 'text', text: 'RULES' }],
    messages: [
      { role: 'user', content: 'Goal: a stick.' },
      { role: 'assistant', content: 'Action: craft' },
    ],
  }
  const [found] = trajectoriesOf(await readText(JSON.stringify(row), { format: 'openai' }))
  expect(found?.tree.messages[0]).toEqual({ role: 'system', content: 'RULES' })
})

test('a picture in the result of a tool is refused as any other', async () => {
  const row = {
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'Action: look' },
      { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'image', source: {} }] }] },
    ],
  }
  const { rejected } = rejectionsOf(await readText(JSON.stringify(row), { format: 'openai' }))
  expect(rejected).toMatchObject([{ field: 'messages[2]', reason: expect.stringContaining('pictures') }])
})
