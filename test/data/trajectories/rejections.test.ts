import { expect, test } from 'vitest'
import { readText, rejectionsOf } from './read-text.ts'

const human = (value: string) => ({ from: 'human', value })
const gpt = (value: string) => ({ from: 'gpt', value })
const start = [human('Craft a bed.'), gpt('OK'), human('You have nothing.')]
const good = {
  id: 1,
  conversations: [...start, gpt('Action: inventory'), human('Nothing.'), gpt('Action: stop')],
}

test.each([
  ['no turns', { id: 2 }, 'conversations', 'missing'],
  ['an empty list of turns', { id: 2, conversations: [] }, 'conversations', 'at least 1'],
  ['no list of turns', { id: 2, conversations: 'none' }, 'conversations', 'must be an array'],
  [
    'an unknown role',
    { id: 2, conversations: [{ from: 'robot', value: 'x' }] },
    'conversations[0].from',
    'unknown role "robot"',
  ],
  [
    'a role that objects have',
    { id: 2, conversations: [{ from: 'constructor', value: 'x' }] },
    'conversations[0].from',
    'unknown role',
  ],
  [
    'a turn without text',
    { id: 2, conversations: [...start, { from: 'gpt' }] },
    'conversations[3].value',
    'missing',
  ],
  [
    'an empty turn',
    { id: 2, conversations: [...start, gpt(' \n')] },
    'conversations[3]',
    'the turn is empty',
  ],
  [
    'two turns of the model in a row',
    { id: 2, conversations: [...start, gpt('Action: a'), gpt('Action: b')] },
    'conversations[4]',
    'an observation is missing',
  ],
  [
    'two observations in a row',
    { id: 2, conversations: [...start, gpt('Action: a'), human('x'), human('y')] },
    'conversations[5]',
    'a turn of the model is missing',
  ],
  [
    'no turn of the model',
    { id: 2, conversations: [human('x'), human('y')] },
    'conversations',
    'no turn of the model',
  ],
  [
    'no prompt',
    { id: 2, conversations: [gpt('Action: a'), human('x')] },
    'conversations[0]',
    'the prompt is missing',
  ],
  ['a task with an endless id', { ...good, id: 'x'.repeat(2000) }, null, 'longer than 1000'],
  ['a reward that is a word', { ...good, reward: 'high' }, 'reward', 'must be'],
  ['a reward above 1', { ...good, reward: 100 }, 'reward', '--reward-scale'],
  ['a rollout that broke off', { ...good, meta: { reward: null } }, 'meta.reward', 'broke off'],
  [
    'a pair',
    { id: 2, prompt: [], chosen: [], rejected: [] },
    'conversations',
    'a pair, which is no trajectory',
  ],
  [
    'another format',
    { messages: [{ role: 'user', content: 'x' }] },
    'conversations',
    'looks like the format openai',
  ],
])(
  '%s is rejected with its line and field, and what stands around it is kept',
  async (_, row, field, reason) => {
    const lines = [good, row, { ...good, id: 3 }].map((each) => JSON.stringify(each))
    const { taken, rejected } = rejectionsOf(await readText(lines.join('\n'), { format: 'eto' }))
    expect(taken).toEqual([1, 3])
    expect(rejected).toEqual([
      {
        id: 'row-0000002',
        file: 'rows.jsonl',
        line: 2,
        row: 2,
        field,
        reason: expect.stringContaining(reason),
      },
    ])
  },
)

test.each([
  ['what is no JSON', '{"id": 2, conversations: []}', 'not JSON'],
  ['what breaks off', '{"id": 2, "conversations": [', 'not JSON'],
  ['a list', '[1, 2]', 'a list, not a JSON object'],
  ['a number', '17', 'a number, not a JSON object'],
  ['null', 'null', 'null, not a JSON object'],
])('%s is rejected with its line', async (_, text, reason) => {
  const content = `${JSON.stringify(good)}\n${text}\n${JSON.stringify(good)}`
  const { taken, rejected } = rejectionsOf(await readText(content, { format: 'eto' }))
  expect(taken).toEqual([1, 3])
  expect(rejected).toMatchObject([{ line: 2, field: null, reason: expect.stringContaining(reason) }])
})

test('a row in another encoding is rejected with the byte and the encoding that it looks like', async () => {
  const latin = Buffer.from(JSON.stringify({ ...good, note: 'déjà vu' }), 'latin1')
  const rows = [Buffer.from(`${JSON.stringify(good)}\n`), latin, Buffer.from(`\n${JSON.stringify(good)}\n`)]
  const { taken, rejected } = rejectionsOf(await readText(Buffer.concat(rows), { format: 'eto' }))
  expect(taken).toEqual([1, 3])
  const place = latin.indexOf(0xe9)
  expect(rejected).toMatchObject([
    { line: 2, reason: expect.stringContaining(`byte 0xe9 at position ${place}`) },
  ])
  expect(rejected[0]?.reason).toContain('Windows-1252')
})

test('a list is rejected item by item, with the lines in which they begin', async () => {
  const content = JSON.stringify([good, { id: 2, conversations: [] }, good], null, 1)
  const { taken, rejected } = rejectionsOf(await readText(content, { format: 'eto' }))
  expect(taken).toHaveLength(2)
  const line = content.slice(0, content.indexOf('"id": 2')).split('\n').length - 1
  expect(rejected).toMatchObject([{ row: 2, line, field: 'conversations' }])
})

test('rows that do not say where they were played need the environment', async () => {
  const { rejected } = rejectionsOf(
    await readText(JSON.stringify(good), { format: 'eto', environment: undefined }),
  )
  expect(rejected).toMatchObject([{ reason: expect.stringContaining('--environment') }])
})

test('half of a surrogate pair becomes U+FFFD when a row is read', async () => {
  const text = JSON.stringify({ ...good, id: 'half \ud83d' }).replaceAll('Nothing.', '\\udc00 nothing')
  const [reading] = await readText(text, { format: 'eto' })
  const stored = JSON.stringify(reading)
  expect(stored).toContain('\uFFFD nothing')
  expect(stored).toContain('half \uFFFD')
  expect(stored).not.toMatch(/\\ud[89a-f]/)
})

test('nothing that a row may hold brings the reading down', async () => {
  const deep = `{"visits":1,"value":0,"is_terminal":false,"state":[],"children":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const rows = [deep, '{"__proto__": {"conversations": []}}', '{"conversations": [null, 1]}', '"\\ud800"']
  for (const format of ['eto', 'agent-r', 'atif', 'openai', 'xtuner', 'parquet'] as const) {
    const { taken, rejected } = rejectionsOf(await readText(rows.join('\n'), { format }))
    expect([taken, rejected.length]).toEqual([[], rows.length])
  }
})
