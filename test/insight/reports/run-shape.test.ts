import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endReason } from '../../../shared/core/contracts/end-reason.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { runShapeSchema } from '../../../shared/core/contracts/run-shape.ts'
import { Histogram, ShapeFold } from '../../../shared/insight/reports/run-shape.ts'
import { endedEpisode, erroredEpisode, learningEpisode, queuedEpisode } from '../../builders/episodes.ts'

function shapeOf(episodes: readonly Episode[]) {
  const fold = new ShapeFold()
  for (const episode of episodes) fold.add(episode)
  return fold.shape()
}

test('a histogram holds each value in one of at most 24 equal bins, in any order of the values', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.boolean()), { minLength: 1 }),
      fc.constantFrom(0.05, 1),
      (values, width) => {
        const fill = (all: typeof values) => {
          const histogram = new Histogram(width)
          for (const [value, solved] of all) histogram.add(value, solved)
          return histogram.bins()
        }
        const bins = fill(values)
        expect(fill(values.toReversed())).toEqual(bins)
        expect(bins.length).toBeLessThanOrEqual(24)
        expect(bins.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(values.length)
        expect(bins.reduce((sum, { solved }) => sum + solved, 0)).toBe(values.filter(([, is]) => is).length)
        const size = (bins[0]?.to ?? 0) - (bins[0]?.from ?? 0)
        for (const { from, to } of bins) expect(to - from).toBeCloseTo(size, 6)
        for (const [value] of values)
          expect(bins.some(({ from, to }) => value >= from - 1e-6 && value < to + 1e-6)).toBe(true)
      },
    ),
  ))

test('a histogram of any finite values ends, in finite bins', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.constantFrom(0, 1, 1e307, -1e308, Number.MAX_VALUE),
        ),
        { minLength: 1 },
      ),
      (rewards) => {
        const { rewards: bins } = shapeOf(rewards.map((reward, place) => endedEpisode(place, 'a', reward)))
        expect(bins.length).toBeLessThanOrEqual(24)
        expect(bins.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(rewards.length)
        for (const { from, to } of bins) expect([from, to].every(Number.isFinite)).toBe(true)
      },
    ),
  ))

test('a value that is nearly a multiple of the width is in one bin in any order', () => {
  const bins = [1.19999999995, 0, -5e-11].map((_, first, values) => {
    const histogram = new Histogram(0.05)
    for (const at of values.keys()) histogram.add(values[(first + at) % values.length] ?? 0, false)
    return histogram.bins()
  })
  expect(bins[1]).toEqual(bins[0])
  expect(bins[2]).toEqual(bins[0])
})

test('a multiple of the width begins its bin', () => {
  const histogram = new Histogram(0.05)
  for (const value of [0, 0.15, 0.3, 0.7, 1]) histogram.add(value, value === 1)
  expect(histogram.bins().map(({ from }) => from)).toEqual([0, 0.15, 0.3, 0.7, 1])
})

test('the counts of reasons are those of the episodes, and learning ones are in no histogram', () => {
  const cut = { total: 4, cut: 2, empty: 0, filtered: 0, refused: 0, unparsable: 0 }
  const episodes = [
    endedEpisode(0, 'a', 1),
    endedEpisode(1, 'a', 0.3),
    endedEpisode(2, 'b', 0),
    endedEpisode(3, 'b', 0, { nodes: 5, invalid_actions: 2 }),
    endedEpisode(4, 'b', 0.3, { answers: cut }),
    { ...endedEpisode(5, 'c', 0, { status: 'limited', limit: 'steps' }), status: 'limited' as const },
    erroredEpisode(6, 'c'),
    queuedEpisode(7, 'c'),
    learningEpisode(8),
  ]
  const shape = shapeOf(episodes)
  expect(runShapeSchema.parse(shape)).toEqual(shape)
  expect(Object.fromEntries(shape.ends.map(({ reason, episodes }) => [reason, episodes]))).toEqual({
    solved: 2,
    partial_reward: 1,
    no_reward: 1,
    invalid_actions: 1,
    cut_answers: 1,
    steps: 1,
    error: 1,
  })
  expect(shape.steps.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(6)
})

test('an episode that is continued, or has not ended, has no reason', () => {
  const ended = endedEpisode(0, 'a', 1)
  expect(endReason({ ...ended, status: 'running' })).toBeNull()
  expect(endReason(queuedEpisode(1, 'a'))).toBeNull()
  expect(endReason({ status: 'cancelled', result: null })).toBe('cancelled')
})

test('the grid has every epoch of a task, and of too many tasks those that vary most', () => {
  const few = shapeOf([
    { ...endedEpisode(3, 'a', 0), epoch: 1 },
    endedEpisode(0, 'a', 1),
    endedEpisode(1, 'b', 0.5),
  ])
  expect(few.grid).toMatchObject({ epochs: 2, all: 2 })
  expect(few.grid.tasks.map(({ task, cells }) => [task, cells.map(({ reward }) => reward)])).toEqual([
    ['a', [1, 0]],
    ['b', [0.5]],
  ])
  const many = Array.from({ length: 300 }, (_, index) => [
    endedEpisode(2 * index, `task-${index}`, 0),
    { ...endedEpisode(2 * index + 1, `task-${index}`, index >= 250 ? 1 : 0), epoch: 1 },
  ]).flat()
  const { grid } = shapeOf(many)
  expect([grid.all, grid.tasks.length]).toEqual([300, 200])
  expect(grid.tasks.filter(({ cells }) => cells[1]?.reward === 1)).toHaveLength(50)
  expect(grid.tasks.at(-1)?.task).toBe('task-299')
})
