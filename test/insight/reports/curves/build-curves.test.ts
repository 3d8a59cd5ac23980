import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { curvesSchema } from '../../../../shared/core/contracts/curve.ts'
import type { JournalRecord } from '../../../../shared/core/engine/journal-record.ts'
import {
  buildCurves,
  chooseBudgets,
  chooseTasks,
  type RunToRead,
} from '../../../../shared/insight/reports/curves/build-curves.ts'
import { endedEpisode, erroredEpisode, learningEpisode, stream } from '../../../builders/episodes.ts'
import { open, rewarded, used } from '../../../builders/journals.ts'
import { endedRun } from '../../../builders/runs.ts'

/** An episode that solves its task with its last call, or not at all. */
function solvesAfter(calls: number, solved = true): JournalRecord[] {
  const failures = Array.from({ length: calls - 1 }, () => [used(), rewarded(0, 0)])
  return [open(), ...failures.flat(), used(), rewarded(0, solved ? 1 : 0)]
}

function toRead(run: string, played: Record<string, JournalRecord[]>): RunToRead & { read: string[] } {
  const journals = Object.values(played)
  const read: string[] = []
  return {
    run: endedRun(run),
    simulated: false,
    episodes: stream([
      learningEpisode(90),
      ...Object.keys(played).map((task, index) => endedEpisode(index, task, 1)),
      erroredEpisode(91, 'broken'),
    ]),
    journal: async (episode) => {
      read.push(episode)
      return journals[Number(episode.slice(3))] ?? []
    },
    read,
  }
}

describe('a curve', () => {
  test('gives the share of tasks that were solved within each budget', async () => {
    const played = { a: solvesAfter(1), b: solvesAfter(2), c: solvesAfter(4), d: solvesAfter(8, false) }
    const run = toRead('run-1', played)
    const found = await buildCurves([run], { over: 'calls' })
    expect(curvesSchema.parse({ ...found, simulated: false })).toMatchObject(found)
    const [curve] = found.curves
    expect(curve).toMatchObject({ run: 'run-1', tasks: 4, episodes: { scored: 4, read: 4 } })
    const points = curve?.points.map(({ budget, ended, success_rate }) => [budget, success_rate.mean, ended])
    expect(points).toEqual([
      [1, 0.25, 0.25],
      [2, 0.5, 0.5],
      [5, 0.75, 0.75],
      [8, 0.75, 1],
    ])
    expect(curve?.points[0]?.success_rate).toMatchObject({ tasks: 4, ci: { method: 'wilson' } })
    expect(run.read).toHaveLength(4)
  })

  test('of several runs is over the tasks they share, at the same budgets', async () => {
    const one = toRead('run-1', { a: solvesAfter(1), b: solvesAfter(2) })
    const other = toRead('run-2', { c: solvesAfter(1), b: solvesAfter(20) })
    const { curves, shared_tasks } = await buildCurves([one, other], { over: 'calls' })
    expect(shared_tasks).toBe(1)
    expect(curves.map(({ points }) => points.map(({ budget }) => budget))).toEqual([
      [1, 2, 5, 10, 20],
      [1, 2, 5, 10, 20],
    ])
    expect(curves.map(({ points }) => points.map(({ reward }) => reward.mean))).toEqual([
      [0, 1, 1, 1, 1],
      [0, 0, 0, 0, 1],
    ])
  })

  test('of a large run reads a sample of tasks, says so, and is the same each time', async () => {
    const tasks = Array.from({ length: 40 }, (_, task) => [`t${task}`, solvesAfter(1 + (task % 3))] as const)
    const build = () =>
      buildCurves([toRead('run-1', Object.fromEntries(tasks))], { over: 'calls', mostRead: 10 })
    const { curves, shared_tasks } = await build()
    expect(shared_tasks).toBe(40)
    expect(curves[0]).toMatchObject({ tasks: 10, episodes: { scored: 40, read: 10 } })
    expect((await build()).curves).toEqual(curves)
  })

  test('over money that is not known is refused with what can be had', async () => {
    const run = toRead('run-1', { a: [open(), used({ cost: null }), rewarded(0, 1)] })
    await expect(buildCurves([run], { over: 'cost' })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'over',
      message: expect.stringContaining('over=calls'),
    })
  })

  test('of a run without a scored episode has no points', async () => {
    const { curves, shared_tasks } = await buildCurves([toRead('run-1', {})], { over: 'tokens' })
    expect(shared_tasks).toBe(0)
    expect(curves[0]).toMatchObject({ points: [], tasks: 0 })
  })
})

describe('budgets', () => {
  test('go in steps of 1, 2 and 5, from the first call to the dearest episode', () => {
    const episodes = [
      { first: 130, total: 700 },
      { first: 450, total: 4321 },
    ]
    expect(chooseBudgets(episodes)).toEqual([100, 200, 500, 1000, 2000, 4321])
    expect(chooseBudgets([{ first: 0.002, total: 0.03 }])).toEqual([0.002, 0.005, 0.01, 0.02, 0.03])
    expect(chooseBudgets([{ first: 0, total: 0 }])).toEqual([0])
    expect(chooseBudgets([])).toEqual([])
  })

  test('rise, begin with the first call and end with the dearest episode', () => {
    const totals = fc.array(
      fc
        .record({ first: fc.integer({ min: 1, max: 1e6 }), more: fc.nat(1e6) })
        .map(({ first, more }) => ({ first, total: first + more })),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(totals, (episodes) => {
        const budgets = chooseBudgets(episodes)
        expect(budgets).toEqual([...new Set(budgets)].toSorted((left, right) => left - right))
        expect(budgets.at(-1)).toBe(Math.max(...episodes.map(({ total }) => total)))
        expect(budgets[0]).toBeLessThanOrEqual(Math.min(...episodes.map(({ first }) => first)))
      }),
    )
  })
})

test('a sample takes whole tasks, no more episodes than may be read, and one task at least', () => {
  const tasks = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 5 }))
  const runs = fc.array(tasks, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 12 }), (counts, most) => {
      const scored = counts.map(
        (each) =>
          new Map(Object.entries(each).map(([task, count]) => [task, Array<string>(count).fill('ep')])),
      )
      const { chosen, shared } = chooseTasks(scored, most)
      expect(chosen.length > 0).toBe(shared > 0)
      for (const run of scored) {
        const sizes = chosen.map((task) => run.get(task)?.length ?? 0)
        expect(sizes.every((size) => size > 0)).toBe(true)
        if (chosen.length > 1) expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most)
      }
    }),
  )
})
