import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turns } from '../../../../shared/core/world/aws/aws-connections.ts'

test('never more than so many run at once, all run in their order, and one that fails makes room', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (most, fails) => {
        const turns = new Turns(most)
        const begun: number[] = []
        let running = 0
        const work = async (index: number) => {
          begun.push(index)
          running += 1
          expect(running).toBeLessThanOrEqual(most)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
          if (fails[index]) throw new Error(`${index} fails`)
          return index
        }
        const ended = await Promise.allSettled(fails.map((_, index) => turns.take(() => work(index))))
        expect(ended.map(({ status }) => status === 'rejected')).toEqual(fails)
        expect(begun).toEqual(fails.map((_, index) => index))
      },
    ),
    { numRuns: 50 },
  )
})
