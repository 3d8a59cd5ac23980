import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportSettingsInput } from '../../../shared/core/contracts/trajectory-import.ts'
import { readText, rejectionsOf, trajectoriesOf } from './read-text.ts'

const turns = [
  { role: 'user', content: 'Goal: craft oak planks.' },
  { role: 'assistant', content: 'Action: get 1 oak log' },
]
const shared = [
  { from: 'human', value: 'Goal: craft oak planks.' },
  { from: 'gpt', value: 'Action: get 1 oak log' },
]
const silent: [ImportSettingsInput['format'], object][] = [
  ['openai', { messages: turns }],
  ['trl', { messages: turns }],
  ['trl', { prompt: [turns[0]], completion: [turns[1]] }],
  ['axolotl', { messages: turns }],
  ['llama-factory', { conversations: shared }],
  ['xtuner', { conversation: [{ input: turns[0]?.content, output: turns[1]?.content }] }],
]
const read = (format: ImportSettingsInput['format'], row: object, more: Partial<ImportSettingsInput> = {}) =>
  readText(JSON.stringify(row), { format, ...more })

test('a reward beside a chat is the reward of its trajectory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...silent),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 100 }),
      async ([format, row], share, scale) => {
        const more = { reward: share * scale, label: false }
        const [found] = trajectoriesOf(await read(format, { ...row, ...more }, { reward_scale: scale }))
        expect(found?.reward).toBe((share * scale) / scale)
      },
    ),
  )
})

test.each(silent)('a row of %s without a reward gets that of the import', async (format, row) => {
  for (const more of [{}, { reward: null }, { label: true }, { kto_tag: true }]) {
    const [found] = trajectoriesOf(await read(format, { ...row, ...more }, { reward: 0.5 }))
    expect(found?.reward).toBe(0.5)
  }
  const [failed] = trajectoriesOf(await read(format, { ...row, reward: false }))
  expect(failed?.reward).toBe(0)
})

test.each(silent)('a row of %s that is marked as bad is no expert’s', async (format, row) => {
  for (const [more, field, reason] of [
    [{ label: false }, 'label', 'marked as bad'],
    [{ kto_tag: false }, 'kto_tag', 'marked as bad'],
    [{ reward: 'high' }, 'reward', 'number'],
    [{ reward: -1 }, 'reward', '--reward-scale'],
  ] as const) {
    const { rejected, taken } = rejectionsOf(await read(format, { ...row, ...more }))
    expect(taken).toEqual([])
    expect(rejected).toMatchObject([{ field, reason: expect.stringContaining(reason) }])
  }
})

test('a row that this service streamed keeps its task; the task of another row may be a benchmark', async () => {
  const ours = { messages: turns, task: 'textcraft-0042', episode: 'ep-0000000', status: 'failed', reward: 0 }
  const { episode: _, ...theirs } = ours
  const [kept] = trajectoriesOf(await read('openai', ours))
  const [other] = trajectoriesOf(await read('openai', theirs))
  expect(kept).toMatchObject({ reward: 0, tree: { task: 'textcraft-0042' } })
  expect(other?.tree.task).toMatch(/^prompt-/)
})
