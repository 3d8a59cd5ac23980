import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Queue } from '../../shared/core/world/ports.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'
import { whereShown } from './not-shown.ts'

describe('queues in SQS', () => {
  let opened: AwsTestWorld
  let queue: Queue
  beforeAll(async () => {
    opened = await openAwsTestWorld()
    queue = opened.world.queues.episodes
  })
  afterAll(() => opened.dispose())

  async function takeAll(max: number): Promise<unknown[]> {
    const messages = await queue.receive({ max, wait: 2, visibility: 30 })
    await Promise.all(messages.map(({ receipt }) => queue.delete(receipt)))
    return messages.map(({ body }) => body)
  }

  test('more than ten are sent and taken by one call', async () => {
    const bodies = Array.from({ length: 25 }, (_, index) => index)
    await queue.send(bodies.map((body) => ({ body, group: 'run_1' })))
    const taken = await takeAll(25)
    expect(taken.toSorted((one, other) => Number(one) - Number(other))).toEqual(bodies)
  })

  test('large messages go in calls of their own', async () => {
    const bodies = ['a', 'b', 'c'].map((sign) => sign.repeat(700_000))
    await queue.send(bodies.map((body) => ({ body, group: 'run_1' })))
    expect((await takeAll(3)).toSorted()).toEqual(bodies)
  })

  test('any text comes back, also what SQS itself refuses', async () => {
    const body = 'null \u0000, control \u0001, not a character \uFFFE \uFFFF, half \uD800'
    await queue.send([{ body, group: 'run_1' }])
    expect(await takeAll(1)).toEqual([body])
  })

  whereShown('supplementary_characters', () => {
    test('characters past U+FFFF come back', async () => {
      await queue.send([{ body: '😀', group: 'run_1' }])
      expect(await takeAll(1)).toEqual(['😀'])
    })
  })

  test('a message that is too large, for a strange group or for far too late is refused', async () => {
    for (const message of [
      { body: 'x'.repeat(1024 * 1024), group: 'a' },
      { body: 1, group: 'with space' },
      { body: 1, group: '' },
      { body: 1, group: 'a', delay: 901 },
    ]) {
      await expect(queue.send([message])).rejects.toMatchObject({ name: 'EspalierError' })
    }
  })

  test('receipts that never were do nothing, and any time may be asked for', async () => {
    await queue.delete('no receipt')
    await queue.extend('no receipt', 10)
    await queue.send([{ body: 'one', group: 'a' }])
    const [message] = await queue.receive({ max: 1, wait: 2, visibility: 1e6 })
    await queue.extend(message?.receipt ?? '', 1e6)
    await queue.extend(message?.receipt ?? '', -5)
    expect(await takeAll(1)).toEqual(['one'])
  })
})
