import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RunRow, ranFor } from '../../shared/engine/runs/run-row.ts'
import { toStatus } from '../../shared/engine/runs/run-store.ts'

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
