import { expect, test } from 'vitest'
import type { LedgerGuard } from '../../../../shared/core/engine/joining/change-checks.ts'
import { guardLedger } from '../../../../shared/core/engine/joining/guarded-ledger.ts'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import {
  enlistWorker,
  hasWorkerOf,
  retireWorker,
  sendHeartbeat,
} from '../../../../shared/core/engine/workers.ts'
import { acquireLease, releaseLease } from '../../../../shared/core/world/lease.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const worker = { name: 'joined-1', tenant: 'a' }
const refused = /This worker may not/

async function openGuarded() {
  const world = await openTestWorld()
  const book = { checkTenant: async () => undefined, hasRun: async () => true }
  const ledger = guardLedger({ world, book, worker, definitions: {} } as unknown as LedgerGuard)
  return { world, joined: { ...world, ledger } }
}

test('a joined worker announces itself, and its row keeps its tenant and what it has no use for', async () => {
  const { world, joined } = await openGuarded()
  const key = ledgerKeys.worker(worker.name)
  await enlistWorker(joined, worker.name, { code: 'code' })
  await world.ledger.update({ key, set: { settled: true } })
  expect(await sendHeartbeat(joined, worker.name)).toBe(false)
  for (const remove of [['tenant'], ['settled', 'tenant'], ['expires'], ['machine']]) {
    await expect(joined.ledger.update({ key, remove })).rejects.toThrow(refused)
    const set = { expires: world.clock.now() + 1000 }
    await expect(joined.ledger.update({ key, set, remove })).rejects.toThrow(refused)
  }
  expect(await world.ledger.get(key)).toMatchObject({ tenant: 'a', code: 'code' })
  expect(await hasWorkerOf(world, 'code', 'a')).toBe(true)
  expect(await hasWorkerOf(world, 'code', 'b')).toBe(false)
  await retireWorker(joined, worker.name)
  expect(await world.ledger.get(key)).toMatchObject({ tenant: 'a', expires: 0 })
})

test('a joined worker takes and releases a lease of its run, and takes no other part of it away', async () => {
  const { world, joined } = await openGuarded()
  const key = { partition: 'run/run-1', sort: 'preflight' }
  const term = { now: world.clock.now(), duration: 60_000 }
  const lease = await acquireLease(joined.ledger, key, worker.name, term)
  if (lease === null) throw new Error('The lease is free.')
  const unchanged = { attribute: 'token', is: 'equal' as const, value: lease.token }
  const release = { key, set: { expires_at: 0 }, if: [unchanged] }
  const take = { key, set: { holder: worker.name, expires_at: term.now }, add: { token: 1 }, if: [unchanged] }
  await expect(joined.ledger.update({ ...release, remove: ['token'] })).rejects.toThrow(refused)
  await expect(joined.ledger.update({ ...release, remove: ['holder', 'token'] })).rejects.toThrow(refused)
  await expect(joined.ledger.update({ ...take, remove: ['holder'] })).rejects.toThrow(refused)
  expect(await world.ledger.get(key)).toMatchObject({ holder: worker.name, token: 1 })
  await releaseLease(joined.ledger, lease)
  expect(await world.ledger.get(key)).toEqual({ expires_at: 0, token: 1 })
})
