import { describe, expect, test } from 'vitest'
import { offeredCaps, reachedCap, spentOf } from '../../../../web/pages/run/run-caps.ts'
import { makeRun } from '../../../builders/runs.ts'

const reason = (cap: string) =>
  `limits.${cap} reached: 10 of 12 are spent. Resume with a higher limits.${cap}.`

describe('a run that is paused at a limit', () => {
  test.each(['cost', 'tokens', 'time'])('of %s says which', (cap) => {
    expect(reachedCap(makeRun({ status: 'paused', status_reason: reason(cap) }))).toBe(cap)
  })

  test('is offered twice as much of it, and its other limits as they are', () => {
    const run = makeRun({
      status: 'paused',
      status_reason: reason('tokens'),
      request: { limits: { cost: 5, tokens: 300 } },
    })
    expect(offeredCaps(run)).toEqual({ cost: 5, tokens: 600 })
    expect(offeredCaps({ ...run, status_reason: 'Paused by request.' })).toEqual({ cost: 5, tokens: 300 })
  })

  test.each([
    ['paused', 'Paused by request.'],
    ['paused', "The tenant's limit on cost is reached: $1 of $1 are spent."],
    ['running', null],
  ] as const)('is not one that is %s because of %j', (status, status_reason) => {
    expect(reachedCap(makeRun({ status, status_reason }))).toBeNull()
  })
})

test('what is spent has no money where prices are missing', () => {
  const usage = { model_calls: 1, input_tokens: 20, output_tokens: 3, cost: null }
  expect(spentOf(makeRun({ usage, running_seconds: 9 }))).toEqual({ cost: null, tokens: 23, time: 9 })
})
