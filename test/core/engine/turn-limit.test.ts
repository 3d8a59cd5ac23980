import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TurnLimit } from '../../../shared/core/engine/turn-limit.ts'

test('lets some pass in each turn of the event loop, in the order of asking', async () => {
  const limit = new TurnLimit(3)
  const passed: number[] = []
  for (let number = 1; number <= 8; number += 1) limit.pass().then(() => passed.push(number))
  await Promise.resolve()
  expect(passed).toEqual([1, 2, 3])
  await nextTurn()
  expect(passed).toEqual([1, 2, 3, 4, 5, 6])
  await nextTurn()
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('has room again in the next turn, less what waited for it', async () => {
  const limit = new TurnLimit(2)
  const passed: string[] = []
  const ask = (name: string) => limit.pass().then(() => passed.push(name))
  for (const name of ['a', 'b', 'c']) ask(name)
  await nextTurn()
  for (const name of ['d', 'e']) ask(name)
  await Promise.resolve()
  expect(passed).toEqual(['a', 'b', 'c', 'd'])
  await nextTurn()
  expect(passed).toEqual(['a', 'b', 'c', 'd', 'e'])
  await nextTurn()
  for (const name of ['f', 'g']) await ask(name)
  expect(passed).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})
