import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { IncomingMessage, Queue } from '../../../../shared/core/world/ports.ts'
import { atOnce, type ContractWorld, type OpenWorld } from './contract-world.ts'
import { describeQueueChoice } from './queue-choice-contract.ts'
import { describeQueueFairness } from './queue-fairness-contract.ts'

/** What not every stand-in of a real queue can show, with the reason, which is printed. */
export interface QueueNotShown {
  fair_groups?: string
  chosen_groups?: string
}

/**
 * Seconds for which a message is away that is looked for, deleted or hidden again meanwhile: on a busy machine each call waits for the
 * disk.
 */
const away = 4

/** What every driver's queues promise. Times are whole seconds, because SQS knows no others. */
export function describeQueueContract(
  name: string,
  openWorld: OpenWorld,
  notShown: QueueNotShown = {},
): void {
  describe(`queues of ${name}`, () => {
    let opened: ContractWorld
    let queue: Queue

    beforeEach(async () => {
      opened = await openWorld()
      queue = opened.world.queues.episodes
    })
    afterEach(() => opened.dispose())

    const send = (...bodies: string[]) => queue.send(bodies.map((body) => ({ body, group: 'run_1' })))
    const take = (options: { max?: number; wait?: number; visibility?: number } = {}) =>
      queue.receive({ max: 10, wait: 1, visibility: 30, ...options })
    const takeNothing = async () => expect(await take({ wait: 0 })).toEqual([])
    async function takeOne({ visibility = 30, wait = 3 } = {}): Promise<IncomingMessage> {
      const [message] = await take({ max: 1, wait, visibility })
      if (message === undefined) throw new Error(`A message should have come within ${wait} seconds.`)
      return message
    }

    test('a message arrives as it was sent', async () => {
      const body = { run: 'run_1', nested: [1, 'ä', null, { deep: true }] }
      await queue.send([{ body, group: 'run_1' }])
      expect(await takeOne()).toMatchObject({ body, group: 'run_1', receives: 1 })
    })

    test('each of many messages is taken once, by many takers', async () => {
      const bodies = Array.from({ length: 40 }, (_, index) => `message ${index}`)
      await send(...bodies)
      const seen: unknown[] = []
      await atOnce(4, async () => {
        for (let got = await take(); got.length > 0; got = await take({ wait: 0 })) {
          expect(got.length).toBeLessThanOrEqual(10)
          seen.push(...got.map(({ body }) => body))
        }
      })
      expect(seen.toSorted()).toEqual(bodies.toSorted())
    })

    test('queues do not mix', async () => {
      await send('for episodes')
      const { alone, datasets } = opened.world.queues
      expect(await alone.receive({ max: 1, wait: 0, visibility: 1 })).toEqual([])
      expect(await datasets.receive({ max: 1, wait: 0, visibility: 1 })).toEqual([])
    })

    test('a taken message is invisible, then comes back with a higher count', async () => {
      await send('one')
      const first = await takeOne()
      await takeNothing()
      await queue.extend(first.receipt, 0)
      const second = await takeOne({ visibility: away })
      const third = await takeOne({ wait: away + 3 })
      expect(third).toMatchObject({ id: first.id, body: 'one', receives: 3 })
      expect(third.receipt).not.toBe(second.receipt)
    })

    test('a deleted message does not come back', async () => {
      await send('one')
      await queue.delete((await takeOne({ visibility: away })).receipt)
      await wait(away * 1000 + 100)
      await takeNothing()
    })

    test('the receipt of a message that was taken again does nothing', async () => {
      await send('one')
      const stale = await takeOne()
      await queue.extend(stale.receipt, 0)
      const fresh = await takeOne()
      await queue.delete(stale.receipt)
      await queue.extend(fresh.receipt, 0)
      expect(await takeOne()).toMatchObject({ id: fresh.id, receives: 3 })
    })

    test('extend keeps a message away for longer', async () => {
      await send('one')
      const { receipt } = await takeOne({ visibility: away })
      await queue.extend(receipt, 30)
      await wait(away * 1000 + 200)
      await takeNothing()
      await queue.delete(receipt)
    })

    test('extend by 0 gives a message back at once', async () => {
      await send('one')
      const { receipt } = await takeOne()
      await queue.extend(receipt, 0)
      expect(await takeOne()).toMatchObject({ body: 'one', receives: 2 })
    })

    test('a delayed message cannot be taken before its time', async () => {
      await queue.send([
        { body: 'later', group: 'run_1', delay: away },
        { body: 'now', group: 'run_1' },
      ])
      expect((await take()).map(({ body }) => body)).toEqual(['now'])
      expect(await takeOne({ wait: away + 3 })).toMatchObject({ body: 'later', receives: 1 })
    })

    test('waiting ends when a message is sent', async () => {
      const started = performance.now()
      const waiting = take({ wait: 20 })
      await wait(200)
      await send('one')
      expect((await waiting).map(({ body }) => body)).toEqual(['one'])
      expect(performance.now() - started).toBeLessThan(15_000)
    })

    test('waiting ends with nothing when the time is over', async () => {
      const started = performance.now()
      expect(await take({ wait: 1 })).toEqual([])
      expect(performance.now() - started).toBeGreaterThan(800)
    })

    test('of several that wait for one message one gets it', async () => {
      const waiting = atOnce(3, () => take({ max: 1, wait: away }))
      await wait(100)
      await send('one')
      expect((await waiting).flat()).toHaveLength(1)
    })

    test('an aborted signal ends the waiting with nothing, and loses no message', async () => {
      const stopping = new AbortController()
      const started = performance.now()
      const waiting = queue.receive({ max: 1, wait: 20, visibility: 30, signal: stopping.signal })
      await wait(100)
      stopping.abort()
      expect(await waiting).toEqual([])
      expect(performance.now() - started).toBeLessThan(15_000)
      expect(await queue.receive({ max: 1, wait: 10, visibility: 30, signal: stopping.signal })).toEqual([])
      await send('one')
      expect(await takeOne()).toMatchObject({ body: 'one' })
    })

    test('a message taken five times without being deleted goes to the dead letters', async () => {
      await send('poison')
      for (let receives = 1; receives <= 5; receives += 1) {
        const message = await takeOne()
        expect(message.receives).toBe(receives)
        await queue.extend(message.receipt, 0)
      }
      await takeNothing()
      const [dead] = await queue.dead_letters.receive({ max: 10, wait: 3, visibility: 30 })
      expect(dead).toMatchObject({ body: 'poison', group: 'run_1' })
      await takeNothing()
      await queue.dead_letters.delete(dead?.receipt ?? '')
      expect(await queue.dead_letters.receive({ max: 10, wait: 0, visibility: 30 })).toEqual([])
    })

    test('a dead letter that is not deleted comes back as one', async () => {
      await send('poison')
      for (let receives = 1; receives <= 5; receives += 1) await queue.extend((await takeOne()).receipt, 0)
      await takeNothing()
      const letters = () => queue.dead_letters.receive({ max: 1, wait: 3, visibility: 1 })
      expect(await letters()).toMatchObject([{ body: 'poison' }])
      expect(await letters()).toMatchObject([{ body: 'poison' }])
    })

    describeQueueFairness(() => queue, notShown.fair_groups)
    describeQueueChoice(() => queue, notShown.chosen_groups)
  })
}
