import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addPacePoint,
  formatLeft,
  type PacePoint,
  paceOf,
  pacePoint,
} from '../../../../web/pages/run/run-progress.tsx'
import { makeRun } from '../../../builders/runs.ts'

describe('the pace of a run', () => {
  const run = makeRun({
    running_seconds: 120,
    episodes: { succeeded: 20, failed: 10, active: 4, waiting: 26 },
  })

  test('over all is what has ended by the time it was running', () => {
    expect(paceOf([], run)).toEqual({ recent: null, overall: 15, left: 120 })
  })

  test('of late is what ended while it was watched, and gives the time left', () => {
    expect(paceOf([{ seconds: 60, ended: 0 }], run)).toEqual({ recent: 30, overall: 15, left: 60 })
  })

  test('of late is not said before it was watched for a few seconds', () => {
    expect(paceOf([{ seconds: 118, ended: 20 }], run).recent).toBeNull()
  })

  test('where nothing ended lately the time left is by the pace over all', () => {
    expect(paceOf([{ seconds: 60, ended: 30 }], run)).toEqual({ recent: 0, overall: 15, left: 120 })
  })

  test.each(['queued', 'paused', 'succeeded', 'cancelled'] as const)(
    'gives no time left of a %s run',
    (status) => {
      expect(paceOf([], { ...run, status }).left).toBeNull()
    },
  )

  test('shows nothing before the first episode has ended', () => {
    expect(paceOf([], makeRun({ episodes: { waiting: 5 } }))).toEqual({
      recent: null,
      overall: null,
      left: null,
    })
  })

  test('counts no episode that was cancelled', () => {
    expect(pacePoint(makeRun({ episodes: { succeeded: 2, cancelled: 90 } })).ended).toBe(2)
  })
})

describe('what was seen of a run', () => {
  test('is kept for a minute, in order, whatever comes', () => {
    const steps = fc.array(fc.record({ seconds: fc.nat(20), ended: fc.nat(3) }), { minLength: 1 })
    fc.assert(
      fc.property(steps, (all) => {
        let points: readonly PacePoint[] = []
        let now = { seconds: 0, ended: 0 }
        for (const step of all) {
          now = { seconds: now.seconds + step.seconds, ended: now.ended + step.ended }
          points = addPacePoint(points, now)
          expect(points.at(-1)).toEqual(now)
          expect(points[0]?.seconds).toBeGreaterThanOrEqual(now.seconds - 60)
          const order = points.map(({ seconds }) => seconds)
          expect(order).toEqual(order.toSorted((left, right) => left - right))
        }
      }),
    )
  })

  test('begins anew where a run is played on, whose episodes are open again', () => {
    expect(addPacePoint([{ seconds: 10, ended: 40 }], { seconds: 11, ended: 0 })).toEqual([
      { seconds: 11, ended: 0 },
    ])
  })

  test('stays as it is where nothing is new', () => {
    const points = [{ seconds: 10, ended: 40 }]
    expect(addPacePoint(points, { seconds: 10, ended: 40 })).toBe(points)
  })
})

test.each([
  [8, '8 s'],
  [119, '1 min 59 s'],
  [229, '4 min'],
  [7260, '2 h 1 min'],
])('%i seconds are left as %s', (seconds, text) => {
  expect(formatLeft(seconds)).toBe(text)
})
