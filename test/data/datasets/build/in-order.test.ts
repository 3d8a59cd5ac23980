import { expect, test } from 'vitest'
import { inOrder } from '../../../../shared/data/datasets/build/in-order.ts'

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('gives results in the order of the items, and does no more at once than asked', async () => {
  let running = 0
  let most = 0
  const results: number[] = []
  const work = async (item: number) => {
    running += 1
    most = Math.max(most, running)
    await later(5 - item)
    running -= 1
    return item * 10
  }
  for await (const result of inOrder([1, 2, 3, 4, 5], 3, work)) results.push(result)
  expect(results).toEqual([10, 20, 30, 40, 50])
  expect(most).toBe(3)
})

test('a failure is reported in its turn, when all that had begun has ended', async () => {
  const ended: number[] = []
  const results: number[] = []
  async function consume() {
    const work = async (item: number) => {
      if (item === 2) throw new Error('the second')
      await later(item * 3)
      ended.push(item)
      return item
    }
    for await (const result of inOrder([1, 2, 3, 4], 3, work)) results.push(result)
  }
  await expect(consume()).rejects.toThrow('the second')
  expect(results).toEqual([1])
  expect(ended).toContain(3)
})
