import { expect, test } from 'vitest'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { takeDatasetMessage } from '../../shared/datasets/take-dataset-message.ts'
import type { OutgoingMessage, Queue } from '../../shared/world/ports.ts'
import { openTestWorld } from './open-test-world.ts'

test('a message whose build another has taken over is replaced, however often it came, and does not die', async () => {
  const { world, close } = await openTestWorld()
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
  const needs = {
    queue,
    build: () => Promise.reject(new EspalierError('conflict', 'Another worker builds it now.')),
    onError: () => undefined,
  }
  const message = { id: '1', body: { dataset: 'dataset-1' }, group: 'dataset-1', receipt: '1', receives: 4 }
  expect(await takeDatasetMessage(needs, message, new AbortController().signal)).toBe(true)
  expect(sent).toEqual([{ body: { dataset: 'dataset-1' }, group: 'dataset-1', delay: 900 }])
  await close()
})
