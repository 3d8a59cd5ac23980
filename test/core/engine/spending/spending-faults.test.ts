import { expect, test } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import type { BlockRow } from '../../../../shared/core/engine/spending/call-block.ts'
import { settleBlock } from '../../../../shared/core/engine/spending/settle-block.ts'
import { Spending } from '../../../../shared/core/engine/spending/spending.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import { readTenant, setTenantCaps } from '../../../../shared/core/engine/spending/tenant-row.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { beforeChanges } from '../../../support/before-changes.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const model = { endpoint: 'test', id: 'test' }
const answer = { input_tokens: 5, output_tokens: 1, cost: 0.001 }
const call = { cost: 0.001, tokens: 6 }
const nano = 1e6

async function openRun(world: World, limits: { cost?: number }): Promise<string> {
  const engine = openTestEngine({ world })
  const { id } = await engine.runs.create(toRequest({ limits }))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  return id
}

function spendingOf(world: World, worker: string, callsAtOnce = 1): Spending {
  return new Spending({ world, store: new RunStore(world), worker, callsAtOnce })
}

/** Makes calls, each at its full price, until as many are made or a cap forbids the next. */
async function spend(spending: Spending, run: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  for (let calls = 0; ; calls += 1) {
    if (calls === most) return calls
    try {
      const reservation = await spending.meter(run, model).reserve(call)
      await reservation.settle(answer)
    } catch (error) {
      if (error instanceof Error && error.name === 'EpisodeStoppedError') return calls
      throw error
    }
  }
}

test('a lease whose return failed is returned by the next try', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  let isBroken = false
  const fragile = beforeChanges(world, () => {
    if (isBroken) throw new Error('The table is away.')
  })
  const spending = spendingOf(fragile, 'one')
  await spend(spending, run, 1)
  await spending.settled(run)
  isBroken = true
  await expect(spending.leave(run)).rejects.toThrow('away')
  await expect(spending.leaveAll()).rejects.toThrow('away')
  isBroken = false
  await spending.leaveAll()
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: nano })
  expect(await world.ledger.get(ledgerKeys.holding('one', run))).toBeNull()
})

test('calls that begin while a lease is being returned are covered, and known to the sweeper', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 0.02 })
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const slow = beforeChanges(world, async ([change]) => {
    if (!change?.delete || !change.key.partition.startsWith('holdings/')) return
    reached.resolve()
    await held.promise
  })
  const spending = spendingOf(slow, 'one')
  await spend(spending, run, 1)
  const leaving = spending.leave(run)
  await reached.promise
  const reserving = spending.meter(run, model).reserve(call)
  await new Promise((resolve) => setTimeout(resolve, 20))
  held.resolve()
  const reservation = await reserving
  await leaving
  expect(await world.ledger.get(ledgerKeys.holding('one', run))).not.toBeNull()
  await reservation.settle(answer)
  expect(await spend(spending, run)).toBe(18)
  await spending.leaveAll()
  expect(await readSpending(world.ledger, run)).toMatchObject({ spent_cost: 20 * nano })
})

test('a block from which its slow worker counts calls while the sweeper settles it counts each call once', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, {})
  const spending = spendingOf(world, 'slow', 4)
  const first = await spending.meter(run, model).reserve(call)
  await spending.meter(run, model).reserve(call)
  const { partition } = ledgerKeys.reservation('slow', '')
  const settle = async (reconcile: () => Promise<'unknown'>, mayReturn = true) => {
    for (const { sort, item } of (await world.ledger.query(partition)).items) {
      await settleBlock(world, 'slow', sort, item as BlockRow, { mayReturn, reconcile, waited: 0 })
    }
  }
  let isFirst = true
  const whileSettled = async () => {
    if (isFirst) {
      isFirst = false
      await first.settle(answer)
      await spending.settled(run)
    }
    return 'unknown' as const
  }
  await settle(whileSettled)
  await settle(whileSettled)
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 4, lost_calls: 3 })
})

test('a worker that was taken for dead and lives keeps the cap', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 0.04 })
  const alive = spendingOf(world, 'alive')
  await spend(alive, run, 1)
  await alive.settled(run)
  await world.ledger.update({ key: ledgerKeys.worker('alive'), set: { expires: 0 } })
  await openTestEngine({ world }).sweep({ lostAfter: 3600 })
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: nano })
  await alive.holdAgain()
  expect(await world.ledger.get(ledgerKeys.holding('alive', run))).not.toBeNull()
  const others = spendingOf(world, 'other')
  expect((await spend(others, run)) + (await spend(alive, run))).toBe(39)
})

test('a worker that came back since it was listed as dead is not settled', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const alive = spendingOf(world, 'back')
  await alive.meter(run, model).reserve(call)
  const key = ledgerKeys.worker('back')
  await world.ledger.update({ key, set: { expires: 0 } })
  await world.ledger.update({ key: ledgerKeys.worker('a-dead-one'), set: { expires: 0 } })
  const slow = beforeChanges(world, async ([change]) => {
    if (change?.key.sort === 'a-dead-one')
      await world.ledger.update({ key, set: { expires: Date.now() + 30_000 } })
  })
  await openTestEngine({ world: slow }).sweep({ lostAfter: 3600 })
  expect(await readSpending(world.ledger, run)).toMatchObject({ lost_calls: 0 })
  expect(await world.ledger.get(key)).not.toBeNull()
})

test("a tenant's new cap that is met before it is looked for counts what was spent without it", async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const spending = spendingOf(world, 'one')
  expect(await spend(spending, run, 16)).toBe(16)
  await spending.settled(run)
  await setTenantCaps(world.ledger, 'default', { cap_cost: 20 * nano })
  expect(await spend(spending, run)).toBe(4)
  await spending.leave(run)
  expect((await readTenant(world.ledger, 'default')).leased_cost).toBe(20 * nano)
})

test('what is leased while other caps are taken note of is not given back', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 0.02 })
  const store = new RunStore(world)
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  const { transact } = world.ledger
  // The answer of a lease comes late, after the change was made.
  const late: World = {
    ...world,
    ledger: {
      get: (key) => world.ledger.get(key),
      query: (partition, options) => world.ledger.query(partition, options),
      update: (change) => world.ledger.update(change),
      async transact(changes) {
        const result = await transact.call(world.ledger, changes)
        const isLease = Number(changes.at(-1)?.add?.leased_cost) > 0 && changes.at(-1)?.key.sort === 'one'
        if (isHeld && isLease) await answered.promise
        return result
      },
    },
  }
  const spending = spendingOf(late, 'one')
  await spend(spending, run, 5)
  await spending.settled(run)
  for (const key of [ledgerKeys.run(run), ledgerKeys.leases(run)])
    await world.ledger.update({ key, set: { revision: 2 } })
  isHeld = true
  const leasing = spending.meter(run, model).reserve(call)
  const looking = spending.update(await store.get(run))
  await new Promise((resolve) => setTimeout(resolve, 50))
  answered.resolve()
  await looking
  await (await leasing).settle(answer)
  const other = spendingOf(world, 'two')
  await spend(other, run)
  await spend(spending, run)
  await spending.leave(run)
  await other.leave(run)
  expect((await readSpending(world.ledger, run)).spent_cost).toBeLessThanOrEqual(20 * nano)
})

test('calls that wait for others to return what they hold do not wait for ever when that cannot be counted', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 0.001 })
  let isBroken = false
  const fragile = beforeChanges(world, () => {
    if (isBroken) throw new Error('The table is away.')
  })
  const spending = spendingOf(fragile, 'one')
  const only = await spending.meter(run, model).reserve(call)
  const waiting = spending.meter(run, model).reserve(call)
  const refused = expect(waiting).rejects.toThrow('away')
  await new Promise((resolve) => setTimeout(resolve, 50))
  isBroken = true
  await only.settle(answer)
  await refused
})

test('calls whose counting failed after it was made are counted once', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  let isLost = false
  let isRefused = false
  // Answers of transactions are lost after the changes were made, or before.
  const lossy: World = {
    ...world,
    ledger: {
      get: (key) => world.ledger.get(key),
      query: (partition, options) => world.ledger.query(partition, options),
      update: (change) => world.ledger.update(change),
      async transact(changes) {
        if (isRefused) throw new Error('The request was lost.')
        const result = await world.ledger.transact(changes)
        if (isLost) throw new Error('The answer was lost.')
        return result
      },
    },
  }
  const spending = spendingOf(lossy, 'one', 4)
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map(() => spending.meter(run, model).reserve(call)),
  )
  await first?.settle(answer)
  isLost = true
  await expect(spending.settled(run)).rejects.toThrow('lost')
  await second?.settle(answer)
  isRefused = true
  await expect(spending.settled(run)).rejects.toThrow('lost')
  isRefused = false
  await expect(spending.settled(run)).rejects.toThrow('lost')
  isLost = false
  await spending.settled(run)
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 2, spent_cost: 2 * nano })
  await third?.settle(answer)
  isLost = true
  await expect(spending.leave(run)).rejects.toThrow('lost')
  isLost = false
  await spending.leaveAll()
  const spent_cost = 3 * nano
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 3, spent_cost, lost_calls: 0 })
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: spent_cost })
})
