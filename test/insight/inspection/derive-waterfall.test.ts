import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { waterfallSchema } from '../../../shared/core/contracts/waterfall.ts'
import type { EffectTiming, JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { deriveWaterfall } from '../../../shared/insight/inspection/derive-waterfall.ts'
import { SearchTree } from '../../../shared/play/search/tree.ts'
import { nodeEntry, openEntry } from '../../builders/journals.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, type PlayOnceOptions, playOnce } from '../../support/play-once.ts'

type Derived = ReturnType<typeof deriveWaterfall>

interface MadeEffect {
  isModel: boolean
  timing: EffectTiming
}

interface MadeCommit {
  passed: number
  commit: number
  isTimed: boolean
  effects: MadeEffect[]
}

interface MadeTurn {
  away: number
  setup: number
  commits: MadeCommit[]
}

const start = Date.parse('2026-11-21T09:00:00.000Z')

function toRecords(turns: readonly MadeTurn[]): JournalRecord[] {
  const records: JournalRecord[] = [
    { request: 'model', value: { messages: [], settings: { role: 'policy', endpoint: 'e', id: 'm' } } },
    { request: 'step', value: { settings: { from: 'a', action: 'b' } } },
  ]
  let now = start
  let elapsed = 0
  let segment = 0
  for (const [turn, { away, setup, commits }] of turns.entries()) {
    now += away + setup
    for (const [place, { passed, commit, isTimed, effects }] of commits.entries()) {
      now += passed
      elapsed += passed / 1000
      segment += 1
      const pause = place === 0 ? { setup } : { commit }
      const timing = { passed, ...pause, effects: effects.map((effect) => effect.timing) }
      records.push({
        segment,
        writer: `worker/${turn + 1}`,
        code: 'c',
        at: new Date(now).toISOString(),
        elapsed,
        ...(isTimed && { timing }),
      })
      for (const [index, { isModel }] of effects.entries()) {
        const effect = `node/${index}/sample/${segment}${isModel ? '' : '/step'}`
        records.push({ effect, request: isModel ? 'model' : 'step', result: null })
      }
    }
  }
  return records
}

const ms = (max: number) => fc.integer({ min: 0, max })

const effects = fc
  .record({
    began: ms(5000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    waited: ms(300),
    held: ms(300),
    isModel: fc.boolean(),
  })
  .map(
    ({ began, share, waited, held, isModel }): MadeEffect => ({
      isModel,
      timing: [began, Math.floor(began * share), waited, held],
    }),
  )

const turnsOf = (isTimed: fc.Arbitrary<boolean>) =>
  fc.array(
    fc.record({
      away: ms(100_000),
      setup: ms(5000),
      commits: fc.array(
        fc
          .record({
            passed: ms(5000),
            commit: ms(200),
            isTimed,
            effects: fc.array(effects, { maxLength: 5 }),
          })
          // No effect begins before its writer: here, before its commit.
          .map((commit) => ({
            ...commit,
            effects: commit.effects.map(
              ({ isModel, timing: [began, ended, waited, held] }): MadeEffect => ({
                isModel,
                timing: [Math.min(began, commit.passed), Math.min(ended, commit.passed), waited, held],
              }),
            ),
          })),
        { minLength: 1, maxLength: 6 },
      ),
    }),
    { maxLength: 4 },
  )

function overlaps({ spans }: Derived): string[] {
  const ends = new Map<string, number>()
  return spans.flatMap(({ lane, slot, from, to, key }) => {
    const row = `${lane} ${slot}`
    const before = ends.get(row) ?? 0
    ends.set(row, to)
    return from < before || to < from ? [`${row} ${key} ${from} before ${before}`] : []
  })
}

function covered(spans: Derived['spans']): number {
  let until = 0
  let sum = 0
  for (const { from, to } of spans.toSorted((left, right) => left.from - right.from)) {
    sum += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return sum
}

const tree = SearchTree.fold([openEntry(), nodeEntry(), nodeEntry(), nodeEntry({ parent: 1 })] as never)

describe('of any journal', () => {
  test('spans of one row never overlap, and all lie on the axis', () => {
    fc.assert(
      fc.property(turnsOf(fc.boolean()), fc.boolean(), (turns, isSearch) => {
        const records = toRecords(turns)
        const derived = deriveWaterfall({ records, tree: isSearch ? tree : null, queuedAt: start })
        expect(overlaps(derived)).toEqual([])
        waterfallSchema.parse({ object: 'waterfall', run: 'r', episode: 'e', ...derived })
        expect(derived.spans.every(({ to }) => to <= derived.seconds + 0.001)).toBe(true)
        expect(derived.workers).toBe(turns.length)
        for (const { lane, slot } of derived.spans) expect(slot).toBeLessThan(derived.lanes[lane]?.slots ?? 0)
      }),
    )
  })

  test('with times, its spans cover the whole time, and each effect has its own', () => {
    fc.assert(
      fc.property(turnsOf(fc.constant(true)), (turns) => {
        const derived = deriveWaterfall({ records: toRecords(turns), tree: null, queuedAt: start })
        const whole = turns.reduce(
          (sum, { away, setup, commits }) =>
            sum + away + setup + commits.reduce((passed, commit) => passed + commit.passed, 0),
          0,
        )
        expect(derived.seconds).toBeCloseTo(whole / 1000, 2)
        expect(covered(derived.spans)).toBeCloseTo(whole / 1000, 1)
        expect(derived.untimed_commits).toBe(0)
        const played = turns.flatMap(({ commits }) => commits.flatMap((commit) => commit.effects))
        const took = played.reduce((sum, { timing: [began, ended] }) => sum + Math.max(0, began - ended), 0)
        const shown = derived.spans.reduce(
          (sum, { key, from, to }) => sum + (key === null ? 0 : to - from),
          0,
        )
        // A row clips what rounding lets cross: at most 3 ms a span.
        expect(Math.abs(shown - took / 1000)).toBeLessThanOrEqual(0.004 * played.length * 2 + 0.001)
        const away = turns.reduce((sum, turn) => sum + turn.away, 0)
        expect(derived.sums.queue).toBeCloseTo(away / 1000, 2)
      }),
    )
  })

  test('without times, no call and no step claims to be exact', () => {
    fc.assert(
      fc.property(turnsOf(fc.constant(false)), (turns) => {
        const derived = deriveWaterfall({ records: toRecords(turns), tree: null, queuedAt: start })
        expect(derived.untimed_commits).toBe(derived.commits)
        expect(derived.spans.filter(({ exact }) => exact)).toEqual([])
        expect(Object.values(derived.sums).reduce((sum, seconds) => sum + seconds, 0)).toBe(0)
      }),
    )
  })
})

test('a call waits before it is with the model, and the time between effects is the program’s', () => {
  const derived = deriveWaterfall({
    records: toRecords([
      {
        away: 2000,
        setup: 500,
        commits: [
          {
            passed: 4000,
            commit: 0,
            isTimed: true,
            effects: [{ isModel: true, timing: [3000, 100, 200, 800] }],
          },
        ],
      },
    ]),
    tree: null,
    queuedAt: start,
  })
  expect(derived.spans.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ['queue', 0, 2],
    ['setup', 2, 2.5],
    ['model', 4.5, 6.4],
    ['wait', 3.5, 4.5],
    ['program', 2.5, 3.5],
    ['program', 6.4, 6.5],
  ])
  expect(derived.slowest.map((at) => derived.spans[at]?.kind)).toEqual(['model', 'wait'])
  expect(derived.sums).toMatchObject({ queue: 2, setup: 0.5, model: 1.9, wait: 1, program: 1.1 })
})

test('a journal without times says what it knows: the bounds, and how long nothing was worked', () => {
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  const derived = deriveWaterfall({
    records: [
      { request: 'model', value: { settings: { role: 'policy', endpoint: 'e', id: 'm' } } },
      { segment: 1, writer: 'w/1', code: 'c', at: at(5), elapsed: 2 },
      { effect: 'node/0/sample/0', request: 'model', result: null },
      { segment: 2, writer: 'w/1', code: 'c', at: at(15), elapsed: 6 },
      { effect: 'node/1/sample/0', request: 'model', result: null },
    ],
    tree: null,
    queuedAt: start,
  })
  expect(derived.spans.map(({ kind, from, to, exact }) => [kind, from, to, exact])).toEqual([
    ['queue', 0, 3, false],
    ['model', 3, 5, false],
    ['model', 5, 15, false],
    ['wait', 5, 11, false],
  ])
  expect(derived).toMatchObject({ began_at: at(0), seconds: 15, working_seconds: 6, untimed_commits: 2 })
})

test('a clock that was set back between two workers shortens no span', () => {
  const derived = deriveWaterfall({
    records: [
      { segment: 1, writer: 'a/1', code: 'c', at: new Date(start).toISOString(), elapsed: 1 },
      { segment: 2, writer: 'b/2', code: 'c', at: new Date(start - 60_000).toISOString(), elapsed: 3 },
    ],
    tree: null,
    queuedAt: null,
  })
  expect(derived.seconds).toBe(3)
})

test.each([0, 1])(
  'what a worker plays has times of every effect, also when another goes on (groupFor %i)',
  async (groupFor) => {
    const world = await openTestWorld()
    const options: PlayOnceOptions = {
      world,
      environment: createHashEnvironment(1, { depth: 4 }),
      model: createHashModel({ delay: 5 }),
      method: { id: 'mcts', samples: 3, iterations: 3 },
      limits: { turns: 4 },
      ...(groupFor > 0 && { groupFor }),
    }
    await playOnce({ ...options, writer: 'one/1' })
    const { journal } = await playOnce({ ...options, limits: { turns: 8 }, writer: 'two/2' })
    const records = await journalRecords(options)
    const made = records.flatMap((record) => ('entry' in record ? [record.entry] : []))
    const derived = deriveWaterfall({ records, tree: SearchTree.fold(made as never), queuedAt: null })
    expect(derived).toMatchObject({ workers: 2, untimed_commits: 0, working_seconds: journal.elapsed })
    const calls = records.flatMap((record) => ('effect' in record ? [record.effect] : []))
    expect(new Set(derived.spans.flatMap(({ key }) => key ?? []))).toEqual(new Set(calls))
    expect(derived.spans.every(({ exact, key }) => exact || key === null)).toBe(true)
    expect(derived.lanes.filter(({ branch }) => branch !== null).length).toBeGreaterThan(1)
    expect(overlaps(derived)).toEqual([])
    const last = records.findLast((record) => 'segment' in record)
    // The worker's last segment leaves its log, and tells how long the commit before it took.
    expect([last?.timing?.effects.length === 0, typeof last?.timing?.commit]).toEqual([
      groupFor > 0,
      'number',
    ])
  },
)
