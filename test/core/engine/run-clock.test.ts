import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedUpTo, isCountDue, ranFor } from '../../../shared/core/engine/runs/run-clock.ts'
import type { RunRow } from '../../../shared/core/engine/runs/run-row.ts'
import { toStatus } from '../../../shared/core/engine/runs/run-store.ts'

const start = Date.UTC(2026, 10, 22)
/** Minutes by which the clock moves before each change: forward, and back where the machine's clock is set. */
const moves = fc.array(
  fc.record({
    minutes: fc.integer({ min: -600, max: 600 }),
    status: fc.constantFrom('running' as const, 'paused' as const, 'succeeded' as const),
  }),
  { maxLength: 30 },
)

test('the time that a run has been running never falls, wherever its clock jumps', () => {
  fc.assert(
    fc.property(moves, (steps) => {
      let row = { status: 'queued', started_at: null, running_since: null, running_milliseconds: 0 } as RunRow
      let now = start
      for (const { minutes, status } of steps) {
        const before = row.running_milliseconds
        now += minutes * 60_000
        expect(ranFor(row, now)).toBeGreaterThanOrEqual(before)
        row = { ...row, ...toStatus(row, status, null, now).set }
        expect(row.running_milliseconds).toBeGreaterThanOrEqual(before)
      }
    }),
  )
})

test('while the clock only goes forward, it is the time between starts and stops', () => {
  const forward = moves.map((steps) => steps.map((step) => ({ ...step, minutes: Math.abs(step.minutes) })))
  fc.assert(
    fc.property(forward, (steps) => {
      let row = { status: 'queued', started_at: null, running_since: null, running_milliseconds: 0 } as RunRow
      let [now, ran] = [start, 0]
      for (const { minutes, status } of steps) {
        now += minutes * 60_000
        if (row.status === 'running') ran += minutes * 60_000
        row = { ...row, ...toStatus(row, status, null, now).set }
      }
      expect(ranFor(row, now)).toBe(ran)
    }),
  )
})

/** Seconds on the steady clock before each change, and minutes by which somebody sets the date. */
const settings = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 60 }),
    set: fc.integer({ min: -600, max: 600 }),
    status: fc.constantFrom('running' as const, 'paused' as const, null),
  }),
  { maxLength: 40 },
)

test('on one machine it goes by the steady clock, however the date is set', () => {
  fc.assert(
    fc.property(settings, (steps) => {
      let row = { status: 'queued', started_at: null, running_since: null, running_milliseconds: 0 } as RunRow
      let [now, steady, ran] = [start, 5000, 0]
      const at = () => ({ now, uptime: { of: 'machine', milliseconds: steady } })
      for (const { seconds, set, status } of steps) {
        now += set * 60_000 + seconds * 1000
        steady += seconds * 1000
        if (row.running_since !== null) ran += seconds * 1000
        expect(ranFor(row, at())).toBe(ran)
        if (status !== null) row = { ...row, ...toStatus(row, status, null, at()).set }
        else if (isCountDue(row, at())) row = { ...row, ...countedUpTo(row, at()) }
      }
      expect(ranFor(row, at())).toBe(ran)
    }),
  )
})

test('after the service was down, or on another machine, it goes on from what was counted', () => {
  const row = { running_since: start, running_milliseconds: 0, counted_at: null }
  const counted = { ...row, ...countedUpTo(row, { now: start, uptime: { of: 'a', milliseconds: 0 } }) }
  const later = (of: string, seconds: number) => ({
    now: start + seconds * 1000,
    uptime: { of, milliseconds: seconds * 1000 },
  })
  expect(ranFor(counted, later('a', 20))).toBe(20_000)
  expect(ranFor(counted, later('b', 20))).toBe(20_000)
  expect(ranFor(counted, later('a', 86_400))).toBe(90_000)
  expect(ranFor(counted, later('b', 86_400))).toBe(90_000)
  expect(ranFor(counted, { now: start - 3_600_000, uptime: { of: 'b', milliseconds: 9 } })).toBe(0)
})
