import { expect, test } from 'vitest'
import { AtMost } from '../../../../shared/core/world/aws/invoke-call-host.ts'

test('so many pieces of work go on at a time, in the order in which they came, and a failed one makes room', async () => {
  const turns = new AtMost(2)
  const started: number[] = []
  const ends: (() => void)[] = []
  const work = Array.from({ length: 5 }, (_, piece) =>
    turns.run(async () => {
      started.push(piece)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (piece === 1) throw new Error('It failed.')
      return piece
    }),
  )
  const outcome = Promise.allSettled(work)
  for (let piece = 0; piece < 5; piece += 1) {
    await expect.poll(() => started.length).toBe(Math.min(5, piece + 2))
    ends[piece]?.()
  }
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect((await outcome).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...Array.from({ length: 3 }, () => 'fulfilled'),
  ])
})
