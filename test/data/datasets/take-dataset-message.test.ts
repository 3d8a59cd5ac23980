import { expect, onTestFinished, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { OutgoingMessage, Queue } from '../../../shared/core/world/ports.ts'
import { neverDone, takeDatasetMessage } from '../../../shared/data/datasets/take-dataset-message.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'

/** A queue that remembers what was sent to it. */
async function openQueue() {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const { datasets } = world.queues
  const sent: OutgoingMessage[] = []
  const queue: Queue = {
    dead_letters: datasets.dead_letters,
    receive: (options) => datasets.receive(options),
    delete: (receipt) => datasets.delete(receipt),
    extend: (receipt, visibility) => datasets.extend(receipt, visibility),
    async send(messages) {
      sent.push(...messages)
    },
  }
  return { queue, sent }
}

const messageOf = (body: Json, receives = 1) => ({
  id: '1',
  body,
  group: 'dataset-1',
  receipt: '1',
  receives,
})
const onError = (error: unknown) => expect.unreachable(String(error))
const giveUp = async (dataset: string) => expect.unreachable(`${dataset} was given up.`)
const signal = new AbortController().signal

test('what comes after the work is sent in the dataset’s group, each with its delay', async () => {
  const { queue, sent } = await openQueue()
  const dataset = 'dataset-1'
  const next = [
    { dataset, part: 0 },
    { dataset, part: 1 },
    { dataset, looks: 4, delay: 6 },
  ]
  const taken: unknown[] = []
  const advance = async (work: unknown) => {
    taken.push(work)
    return next
  }
  expect(
    await takeDatasetMessage({ queue, advance, giveUp, onError }, messageOf({ dataset, looks: 3 }), signal),
  ).toBe(true)
  expect(taken).toEqual([{ dataset, looks: 3 }])
  expect(sent).toEqual([
    { body: { dataset, part: 0 }, group: dataset },
    { body: { dataset, part: 1 }, group: dataset },
    { body: { dataset, looks: 4 }, group: dataset, delay: 6 },
  ])
})

test('a part that is stopped is sent again as it was', async () => {
  const { queue, sent } = await openQueue()
  const stop = new AbortController()
  const advance = () => {
    stop.abort()
    return Promise.reject(stop.signal.reason)
  }
  const body = { dataset: 'dataset-1', part: 7 }
  expect(await takeDatasetMessage({ queue, advance, giveUp, onError }, messageOf(body, 3), stop.signal)).toBe(
    true,
  )
  expect(sent).toEqual([{ body, group: 'dataset-1' }])
})

test('a piece that outlasts its worker’s time each time fails the dataset in the end, and is not begun for ever', async () => {
  const { queue, sent } = await openQueue()
  const given: unknown[] = []
  let body: Json = { dataset: 'dataset-1', part: 7 }
  let begun = 0
  for (; given.length === 0 && begun < 20; begun += 1) {
    const stop = new AbortController()
    const advance = () => {
      stop.abort(new DOMException('The invocation ends.', 'TimeoutError'))
      return Promise.reject(stop.signal.reason)
    }
    const needs = { queue, advance, giveUp: async (...call: unknown[]) => void given.push(call), onError }
    expect(await takeDatasetMessage(needs, messageOf(body), stop.signal)).toBe(true)
    body = sent.at(-1)?.body as Json
    expect(body).toEqual({ dataset: 'dataset-1', part: 7, stops: Math.min(begun + 1, 7) })
  }
  expect(begun).toBe(8)
  expect(given).toEqual([['dataset-1', neverDone]])
  expect(sent).toHaveLength(7)
})

test('a message whose build another has taken over is replaced, however often it came, and does not die', async () => {
  const { queue, sent } = await openQueue()
  const advance = () => Promise.reject(new EspalierError('conflict', 'Another worker builds it now.'))
  const needs = { queue, advance, giveUp, onError: () => undefined }
  expect(await takeDatasetMessage(needs, messageOf({ dataset: 'dataset-1' }, 4), signal)).toBe(true)
  expect(sent).toEqual([{ body: { dataset: 'dataset-1' }, group: 'dataset-1', delay: 900 }])
})

test.each([
  [75, 75],
  [3_600, 900],
])(
  'a build that was taken over is looked at again once its worker, which lives %d s, must be gone',
  async (lifetime, delay) => {
    const { queue, sent } = await openQueue()
    const advance = () => Promise.reject(new EspalierError('conflict', 'Another worker builds it now.'))
    const needs = { queue, advance, giveUp, onError: () => undefined, lifetime }
    await takeDatasetMessage(needs, messageOf({ dataset: 'dataset-1' }), signal)
    expect(sent).toMatchObject([{ delay }])
  },
)
