import { describe, expect, test } from 'vitest'
import type { Queue } from '../../../../shared/core/world/ports.ts'

/**
 * The part of the queues' contract that speaks of receivers which choose groups.
 *
 * @param notShown why the queue behind the driver cannot show it
 */
export function describeQueueChoice(queueOf: () => Queue, notShown: string | undefined): void {
  if (notShown !== undefined) {
    console.log(`not shown: ${notShown}`)
    return
  }

  describe('chosen groups', () => {
    const send = (group: string, count: number) =>
      queueOf().send(Array.from({ length: count }, (_, index) => ({ body: `${group} ${index}`, group })))
    const take = (groups: string[] | null, wait = 0) =>
      queueOf().receive({ max: 10, wait, visibility: 30, groups: async () => groups })

    test('only their messages come; the others stay for other receivers, and count no receive', async () => {
      await send('left', 3)
      await send('wanted', 2)
      for (let looks = 0; looks < 6; looks += 1) expect(await take([])).toEqual([])
      const wanted = await take(['wanted', 'unknown'])
      expect(wanted.map(({ body }) => body)).toEqual(['wanted 0', 'wanted 1'])
      expect(await take(['wanted'])).toEqual([])
      const left = await take(null)
      expect(left.map(({ body, receives }) => [body, receives])).toEqual([
        ['left 0', 1],
        ['left 1', 1],
        ['left 2', 1],
      ])
    })

    test('messages of chosen groups come in turn, and in order within a group', async () => {
      await send('one', 3)
      await send('other', 2)
      const bodies = (await take(['other', 'one'])).map(({ body }) => body)
      expect(bodies).toEqual(['one 0', 'other 0', 'one 1', 'other 1', 'one 2'])
    })

    test('a receiver that waits takes the first message of a group that it chooses', async () => {
      await send('left', 1)
      const waiting = take(['wanted'], 10)
      await send('wanted', 1)
      expect((await waiting).map(({ group }) => group)).toEqual(['wanted'])
    })
  })
}
