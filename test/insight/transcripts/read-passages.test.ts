import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { readPassages } from '../../../shared/insight/transcripts/read-passages.ts'
import { call, node, open, text } from '../../builders/journals.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, randomRun, someMemories } from '../../support/random-methods.ts'

const short = (records: JournalRecord[]) =>
  readPassages(records).passages.map(({ kind, node, role, text }) => [kind, node, role, text])

test('answers stand at the node that they led to, the others where they were asked for', () => {
  const proposals = { answers: ['Action: back', 'Action: on', 'Action: on', ''], n: 4 }
  expect(
    short([
      open(),
      ...call('node/0/plan/0/proposals', proposals),
      node({ effect: 'node/0/plan/0/proposals/choice/1', message: 'Action: on' }),
    ]),
  ).toEqual([
    ['answer', 0, 'policy', 'Action: back'],
    ['observation', 0, null, 'At 0.'],
    ['answer', 1, 'policy', 'Action: on'],
    ['observation', 1, null, 'At 1.'],
  ])
})

test('thoughts beside an answer are found at its node', () => {
  const thinking = { text: 'The door may be locked.', field: 'reasoning_content' }
  const choices = [{ content: 'Action: on', finish_reason: 'stop', thinking }]
  expect(
    short([
      open(),
      ...call('node/0/plan/0/proposals', { choices }),
      node({ effect: 'node/0/plan/0/proposals', message: 'Action: on' }),
    ]).slice(1),
  ).toEqual([
    ['answer', 1, 'policy', 'The door may be locked.'],
    ['answer', 1, 'policy', 'Action: on'],
    ['observation', 1, null, 'At 1.'],
  ])
})

test('notes are what other roles were asked, each equal one of a node once', () => {
  expect(
    short([
      open(),
      ...call('node/0/value/verdicts', { role: 'value', answers: ['Good.', 'Bad.', 'Good.'], n: 3 }),
      ...call('reflect/policy/0', { role: 'reflection', answers: ['Look first.'] }),
    ]),
  ).toEqual([
    ['note', 0, 'value', 'Good.'],
    ['note', 0, 'value', 'Bad.'],
    ['note', 0, 'reflection', 'Look first.'],
    ['observation', 0, null, 'At 0.'],
  ])
})

test('a note that is handed on is found where no answer has its words', () => {
  const note = (words: string): JournalRecord => ({
    entry: { note: { note: words, side: 'task' } as MemoryNote } as never,
  })
  const records = [open(), ...call('note/0', { role: 'reflection', answers: ['Note: Look first.'] })]
  expect(short([...records, note('Look first.')])).toHaveLength(2)
  expect(short([...records, note('Try twice.')])).toContainEqual(['note', 0, 'task', 'Try twice.'])
})

test('an action without an answer, and steps that its observation does not show, are found', () => {
  const primitives = [
    { action: 'a', observation: 'one', reward: 0, valid: true },
    { action: 'b', observation: 'two', reward: 0, valid: true },
  ]
  expect(short([open(), node({ message: 'run()', observation: text('two'), primitives })]).slice(1)).toEqual([
    ['answer', 1, null, 'run()'],
    ['observation', 1, null, 'two'],
    ['observation', 1, null, 'one'],
  ])
})

test('an episode without a tree has its answers', () => {
  expect(short(call('word/0', { role: 'annotator', answers: ['So it was.'] }))).toEqual([
    ['note', null, 'annotator', 'So it was.'],
  ])
  expect(readPassages([])).toEqual({ passages: [], is_cut: false })
})

test('a long text is cut between words, and loses none; a longer episode says that it is cut', () => {
  const long = Array.from({ length: 9000 }, (_, at) => `word${at}`).join(' ')
  const { is_cut, passages } = readPassages([open({ observation: text(long) })])
  expect(is_cut).toBe(false)
  expect(passages.length).toBeGreaterThan(2)
  expect(passages.map((each) => each.text).join('')).toBe(long)
  expect(passages.every((each) => /^\s?word\d/.test(each.text))).toBe(true)
  const endless = readPassages([open({ observation: text('a '.repeat(1_100_000)) })])
  expect(endless.is_cut).toBe(true)
  expect(endless.passages.length).toBeGreaterThan(90)
})

describe('whatever an episode did, every node’s observation and answer is in its passages', () => {
  test.each(Object.entries(randomMethods))('%s', async (_name, method) => {
    const world = await openTestWorld()
    let played = 0
    await fc.assert(
      fc.asyncProperty(randomRun(method), fc.nat(), async (chosen, seed) => {
        played += 1
        const options: PlayOnceOptions = {
          ...chosen,
          world: { ...world, objects: prefixedObjects(world.objects, `${played}/`) },
          environment: createHashEnvironment(seed, { depth: 3 }),
          model: createHashModel(),
          models: createHashModels(),
          memories: someMemories,
        }
        await playOnce(options)
        const { is_cut, passages } = readPassages(await journalRecords(options))
        expect(is_cut).toBe(false)
        for (const [index, { message, observation }] of (await treeOf(options)).nodes.entries()) {
          const own = passages.filter((each) => each.node === index)
          const saw = observation.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
          expect(own.filter(({ kind }) => kind === 'observation').map((each) => each.text)).toContain(saw)
          if (message === null) continue
          expect(own.some((each) => each.kind === 'answer' && each.text.includes(message))).toBe(true)
        }
      }),
      { numRuns: 5 },
    )
  })
})
