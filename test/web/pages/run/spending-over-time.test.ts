import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import type { RunEvent } from '../../../../shared/core/contracts/run-event.ts'
import { noUsage } from '../../../../shared/core/contracts/usage.ts'
import { spendingOverTime } from '../../../../web/pages/run/spending-over-time.ts'

const start = Date.parse('2026-11-21T09:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()

function ended(episode: string, seconds: number, tokens: number, cost: number | null = 0): RunEvent {
  const usage = { ...noUsage, input_tokens: tokens, cost }
  return {
    type: 'episode.ended',
    sequence: 1,
    created_at: at(seconds),
    episode,
    task: 'task',
    result: { status: 'succeeded', reward: 1, steps: 1, usage, error: null },
    episodes: counts(1, 1),
  }
}

function counts(succeeded: number, total: number): Run['episodes'] {
  return {
    total,
    waiting: 0,
    active: total - succeeded,
    succeeded,
    failed: 0,
    limited: 0,
    errored: 0,
    cancelled: 0,
  }
}

function toRun(tokens: number, more: object = {}): Run {
  return {
    created_at: at(-10),
    started_at: at(0),
    ended_at: null,
    status: 'running',
    running_seconds: 20,
    usage: { ...noUsage, input_tokens: tokens },
    episodes: counts(1, 4),
    request: { limits: {} },
    ...more,
  } as unknown as Run
}

test('each episode counts at its end, and the way ahead leads to the last one and to the cap', () => {
  const run = toRun(1000, { request: { limits: { tokens: 2500 } } })
  expect(spendingOverTime(run, [ended('a', 10, 800)], 'tokens', start + 20_000)).toEqual({
    points: [
      { seconds: 0, spent: 0 },
      { seconds: 10, spent: 800 },
      { seconds: 20, spent: 1000 },
    ],
    ahead: { seconds: 80, spent: 4000 },
    cap: 2500,
    reached: 50,
  })
})

test('an episode that went on counts the difference, and one that began anew counts again', () => {
  const run = toRun(1500, { status: 'succeeded', ended_at: at(30) })
  const events = [ended('a', 1, 500), ended('a', 2, 700), ended('a', 3, 300)]
  const found = spendingOverTime(run, events, 'tokens', start)
  expect(found?.points.map(({ spent }) => spent)).toEqual([0, 500, 700, 1000, 1500])
  expect(found).toMatchObject({ ahead: null, reached: null, cap: null })
})

test('without prices there is no spending in dollars', () => {
  const run = toRun(10, { usage: { ...noUsage, cost: null } })
  expect(spendingOverTime(run, [ended('a', 1, 5, null)], 'cost', start)).toBeNull()
})

test('the line never falls, never goes back, ends at the sum of the run, and has few points', () => {
  const event = fc.record({
    episode: fc.integer({ min: 0, max: 900 }),
    seconds: fc.nat(10_000),
    tokens: fc.nat(5000),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 1500 }), fc.nat(1000), (made, besides) => {
      const seen = new Set<number>()
      const events = made.flatMap(({ episode, seconds, tokens }) => {
        if (seen.has(episode)) return []
        seen.add(episode)
        return [ended(String(episode), seconds, tokens)]
      })
      const sum = events.reduce(
        (total, each) => total + (each.type === 'episode.ended' ? each.result.usage.input_tokens : 0),
        besides,
      )
      const found = spendingOverTime(toRun(sum), events, 'tokens', start + 20_000_000)
      if (sum === 0) return expect(found).toBeNull()
      const points = found?.points ?? []
      expect(points.at(-1)?.spent).toBe(sum)
      expect(points.length).toBeLessThanOrEqual(402)
      for (const [place, point] of points.entries()) {
        const before = points[place - 1] ?? point
        expect(point.spent).toBeGreaterThanOrEqual(before.spent)
        expect(point.seconds).toBeGreaterThanOrEqual(before.seconds)
      }
    }),
  )
})
