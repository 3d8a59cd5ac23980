import { expect, test } from 'vitest'
import { datasetProgressSchema } from '../../../shared/core/contracts/dataset.ts'
import { describeProgress, isBuilding } from '../../../web/format/describe-progress.ts'

const phases = datasetProgressSchema.shape.phase.options

test('a build never seems to go back from one phase to the next', () => {
  const shares = phases.map(
    (phase) => describeProgress({ status: 'running', progress: { phase, parts: 4, parts_done: 4 } }).share,
  )
  expect(shares).toEqual(shares.toSorted((left, right) => left - right))
  expect(shares.at(-1)).toBe(1)
})

test('parts are counted while rows are made', () => {
  const of = (parts_done: number) =>
    describeProgress({ status: 'running', progress: { phase: 'collecting', parts: 4, parts_done } })
  expect(of(1).text).toBe('Making rows: 1 of 4 parts')
  expect(of(3).share).toBeGreaterThan(of(1).share)
})

test('what has not begun or has ended is not building on', () => {
  const progress = { phase: 'planning' as const, parts: 0, parts_done: 0 }
  expect(describeProgress({ status: 'queued', progress })).toEqual({ share: 0, text: 'Waiting for a worker' })
  expect(
    (['queued', 'running', 'succeeded', 'failed'] as const).map((status) => isBuilding({ status })),
  ).toEqual([true, true, false, false])
})
