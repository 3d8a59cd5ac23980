import { expect, test } from 'vitest'
import type { Operations } from '../../bench/cost/operations.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { countingWorld } from '../support/counting-world.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { storedBytes } from '../support/stored-bytes.ts'

const key = { partition: 'runs', sort: 'one' }
const other = { partition: 'runs', sort: 'two' }
const small = { name: 'small' }
/** A little more than two KB. */
const large = { name: 'x'.repeat(2100) }

/** What an action is counted as, after another one prepared it. */
async function counted(
  act: (world: World) => Promise<unknown>,
  prepare: (world: World) => Promise<unknown> = async () => undefined,
): Promise<Operations> {
  const inner = await openTestWorld()
  await prepare(inner)
  const counting = countingWorld(inner)
  await act(counting.world)
  return counting.counted()
}

test.each<[string, (world: World) => Promise<unknown>, Partial<Operations>]>([
  ['a set', ({ ledger }) => ledger.update({ key, set: small }), { ledger_writes: 1 }],
  ['a set of two KB', ({ ledger }) => ledger.update({ key, set: large }), { ledger_writes: 3 }],
  [
    'an add, which is a transaction and then read',
    ({ ledger }) => ledger.update({ key, add: { count: 1 } }),
    { ledger_writes: 2, ledger_reads: 1 },
  ],
  [
    'a deletion, which is a transaction',
    ({ ledger }) => ledger.update({ key, delete: true }),
    { ledger_writes: 2 },
  ],
  [
    'a transaction of a small and a large item',
    ({ ledger }) =>
      ledger.transact([
        { key, set: small },
        { key: other, set: large },
      ]),
    { ledger_writes: 2 * (1 + 3) },
  ],
  ['a transaction of one set', ({ ledger }) => ledger.transact([{ key, set: small }]), { ledger_writes: 1 }],
  [
    'a condition that does not hold',
    ({ ledger }) => ledger.update({ key, set: small, if: [{ is: 'present' }] }),
    { ledger_writes: 1 },
  ],
  ['a read of nothing', ({ ledger }) => ledger.get(key), { ledger_reads: 1 }],
  ['a query of nothing', ({ ledger }) => ledger.query('runs'), { ledger_reads: 1 }],
])('%s', async (_what, act, expected) => {
  const { ledger_writes, ledger_reads } = await counted(act)
  expect({ ledger_writes, ledger_reads }).toEqual({ ledger_writes: 0, ledger_reads: 0, ...expected })
})

test('a query is paid for by the bytes of all its items', async () => {
  const { ledger_reads } = await counted(
    ({ ledger }) => ledger.query('runs'),
    ({ ledger }) =>
      ledger.transact([
        { key, set: large },
        { key: other, set: large },
      ]),
  )
  expect(ledger_reads).toBe(2)
})

test('requests to S3 are counted by their class, and bytes as long as they stay', async () => {
  const { s3_writes, s3_reads, s3_bytes } = await counted(async ({ objects }) => {
    await objects.put('a', Buffer.alloc(100))
    await objects.put('a', Buffer.alloc(40))
    await objects.put('a', Buffer.alloc(500), { if_none_match: '*' })
    await objects.get('a')
    await objects.head('a')
    await objects.list('')
    await objects.delete('a')
  })
  expect({ s3_writes, s3_reads, s3_bytes }).toEqual({ s3_writes: 4, s3_reads: 2, s3_bytes: 40 })
})

test('ten messages share a request', async () => {
  const message = { body: {}, group: 'run' }
  const { queue_requests } = await counted(({ queues }) => queues.episodes.send(Array(11).fill(message)))
  expect(queue_requests).toBe(2)
})

test('an item has the bytes of its keys, its names and its values', () => {
  const empty = storedBytes(key, {})
  expect(storedBytes(key, null)).toBe(0)
  expect(storedBytes({ ...key, sort: 'three' }, {})).toBe(empty + 2)
  // A name and its underscore; a text by its letters; a number by its digits; a list by its elements.
  expect(storedBytes(key, { text: 'four' })).toBe(empty + 5 + 4)
  expect(storedBytes(key, { n: 1234 })).toBe(empty + 2 + 3)
  expect(storedBytes(key, { l: ['a', true] })).toBe(empty + 2 + 3 + 2 + 2)
})
