import { describe, expect, test } from 'vitest'
import type { Queue } from '../../../../shared/core/world/ports.ts'

/**
 * The part of the queues' contract that speaks of groups.
 *
 * @param notShown why the queue behind the driver cannot show it
 */
export function describeQueueFairness(queueOf: () => Queue, notShown: string | undefined): void {
  if (notShown !== undefined) {
    console.log(`not shown: ${notShown}`)
    return
  }

  describe('fair groups', () => {
    const send = (group: string, count: number) =>
      queueOf().send(Array.from({ length: count }, (_, index) => ({ body: `${group} ${index}`, group })))
    async function take(max: number): Promise<string[]> {
      const messages = await queueOf().receive({ max, wait: 0, visibility: 30 })
      return messages.map(({ group }) => group)
    }

    test('a small group does not wait behind a big one', async () => {
      await send('big', 100)
      expect(await take(10)).toHaveLength(10)
      await send('small', 2)
      expect(await take(2)).toEqual(['small', 'small'])
      expect(await take(10)).toEqual(Array.from({ length: 10 }, () => 'big'))
    })

    test('groups that came together share what is taken', async () => {
      await send('one', 30)
      await send('two', 30)
      await send('three', 30)
      const groups = await take(9)
      for (const group of ['one', 'two', 'three']) {
        expect(groups.filter((taken) => taken === group)).toHaveLength(3)
      }
    })

    test('a group whose messages were deleted is no longer held back', async () => {
      await send('done', 10)
      for (const { receipt } of await queueOf().receive({ max: 10, wait: 0, visibility: 30 })) {
        await queueOf().delete(receipt)
      }
      await send('busy', 10)
      expect(await take(3)).toEqual(['busy', 'busy', 'busy'])
      await send('done', 3)
      expect(await take(3)).toEqual(['done', 'done', 'done'])
    })
  })
}
