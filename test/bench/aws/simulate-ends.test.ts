import { expect, test } from 'vitest'
import { simulateEnds } from '../../../bench/aws/simulate-ends.ts'

test('a run all of whose episodes end at the same time comes to its end, in less than three transactions an end and with few refused', async () => {
  const figures = await simulateEnds({ slots: 300, seconds: 1, episodes: 900, seed: 1 })
  expect(figures).toMatchObject({ isComplete: true, gaveUp: 0 })
  expect(figures.transactions).toBeLessThan(3)
  expect(figures.conflicts).toBeLessThan(0.2)
})

test('the model gives the same figures each time', async () => {
  const load = { slots: 50, seconds: 1, episodes: 100, seed: 2 }
  expect(await simulateEnds(load)).toEqual(await simulateEnds(load))
})
