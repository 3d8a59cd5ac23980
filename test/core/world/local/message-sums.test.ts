import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startJobConsumer } from '../../../../shared/core/engine/jobs/start-job-consumer.ts'
import { verifyStore } from '../../../../shared/core/world/local/verify-store.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const take = { max: 10, wait: 0, visibility: 60 }
const sent = [
  { body: { dataset: 'dataset-1' }, group: 'dataset-1' },
  { body: { dataset: 'dataset-2', part: 3 }, group: 'dataset-2' },
  { body: { dataset: 'dataset-3', looks: 12 }, group: 'dataset-3' },
]

test('a message with a flipped bit is never taken: it becomes a dead letter without a body, and damage that is counted', async () => {
  const columns = fc.constantFrom('group_name', 'body')
  await fc.assert(
    fc.asyncProperty(columns, fc.integer({ min: 0, max: 2 }), fc.nat(), async (column, which, bit) => {
      const folder = await testFolder()
      const { queues, damage, close } = await openTestWorld(folder)
      await queues.datasets.send(sent)
      flipText(folder, { column, id: which + 1, bit })
      const taken = await queues.datasets.receive(take)
      expect(taken.map(({ body, group }) => ({ body, group }))).toEqual(sent.filter((_, at) => at !== which))
      const group = column === 'body' ? sent[which]?.group : ''
      expect(damage.names).toEqual([expect.stringContaining(`message ${which + 1} of the queue "datasets"`)])
      const [letter, ...others] = await queues.datasets.dead_letters.receive(take)
      expect(letter).toMatchObject({ body: null, group })
      expect(others).toEqual([])
      await close()
      // The dead letter is damaged until it is deleted.
      expect((await verifyStore(folder)).damage).toMatchObject([{ kind: 'message' }])
    }),
    { numRuns: 25 },
  )
})

test('verify names each damaged message of a folder, and gives messages of older versions checksums', async () => {
  const folder = await testFolder()
  const { queues, close } = await openTestWorld(folder)
  await queues.episodes.send(sent)
  await close()
  change(folder, 'update messages set group_crc = null, crc = null')
  expect(await verifyStore(folder)).toMatchObject({ damage: [], sums_added: 3 })
  flipText(folder, { column: 'body', id: 2, bit: 40 })
  expect((await verifyStore(folder)).damage).toEqual([
    { kind: 'message', name: 'message 2 of the queue "episodes" about dataset-2', why: expect.any(String) },
  ])
})

test('messages of a version without checksums are taken, unless they are no JSON', async () => {
  const folder = await testFolder()
  const first = await openTestWorld(folder)
  await first.queues.jobs.send(sent)
  await first.close()
  change(folder, 'alter table messages drop column crc')
  change(folder, 'alter table messages drop column group_crc')
  change(folder, 'update messages set body = substr(body, 3) where id = 2')
  const { queues } = await openTestWorld(folder)
  const taken = await queues.jobs.receive(take)
  expect(taken.map(({ body, group }) => ({ body, group }))).toEqual([sent[0], sent[2]])
  expect(await queues.jobs.dead_letters.receive(take)).toMatchObject([{ body: null, group: 'dataset-2' }])
})

test('a job whose message is damaged is looked at again', async () => {
  const folder = await testFolder()
  const world = await openTestWorld(folder)
  const groups = ['training-1', 'loop-2']
  await world.queues.jobs.send(
    groups.map((id) => ({ body: { [id.split('-')[0] as string]: id, look: 4 }, group: id })),
  )
  for (const id of [1, 2]) flipText(folder, { column: 'body', id, bit: 21 })
  const seen: unknown[] = []
  const handler = (kind: string) => ({
    advance: async ({ id, look }: { id: string; look: number | undefined }) => {
      seen.push({ kind, id, look })
      return []
    },
    giveUp: async () => expect.unreachable(),
  })
  const consumer = startJobConsumer(
    world,
    { training: handler('training'), loop: handler('loop') },
    (error) => expect.unreachable(String(error)),
  )
  await expect.poll(() => seen.length).toBe(2)
  await consumer.stop()
  expect(seen).toEqual(expect.arrayContaining(groups.map((id) => ({ kind: id.split('-')[0], id }))))
  expect(world.damage.count).toBe(2)
})

/** Flips one bit of a text in place, as a failing disk does. */
function flipText(folder: string, { column, id, bit }: { column: string; id: number; bit: number }): void {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  try {
    const row = sqlite.prepare(`select cast(${column} as blob) as bytes from messages where id = ?`).get(id)
    const bytes = row?.bytes as Uint8Array
    const at = bit % (bytes.length * 8)
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7))
    sqlite.prepare(`update messages set ${column} = cast(? as text) where id = ?`).run(bytes, id)
  } finally {
    sqlite.close()
  }
}

function change(folder: string, statement: string): void {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  sqlite.exec(statement)
  sqlite.close()
}
