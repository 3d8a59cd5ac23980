import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import { Spending } from '../../../../shared/core/engine/spending/spending.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import { readTenant, setTenantCaps } from '../../../../shared/core/engine/spending/tenant-row.ts'
import { retireWorker, sendHeartbeat } from '../../../../shared/core/engine/workers.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const model = { endpoint: 'test', id: 'test' }

/** A running run with a cap, on which nothing plays. */
async function openRun(world: World, limits: { cost?: number }): Promise<string> {
  const engine = openTestEngine({ world })
  const { id } = await engine.runs.create(toRequest({ limits }))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  return id
}

/** Makes calls until a cap stops them; answers how many were made. */
async function spendUntilStopped(
  spending: Spending,
  run: string,
  upper: number,
  actual: number,
): Promise<number> {
  const meter = spending.meter(run, model)
  for (let calls = 0; ; calls += 1) {
    try {
      const reservation = await meter.reserve({ cost: upper, tokens: 10 })
      await new Promise((resolve) => setImmediate(resolve))
      await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: actual })
    } catch (error) {
      if (error instanceof Error && error.name === 'EpisodeStoppedError') return calls
      throw error
    }
  }
}

test('several workers with calls side by side never pass a cap, and stop only when the next call does not fit', async () => {
  const amounts = fc.record({
    cap: fc.integer({ min: 1, max: 60 }),
    upper: fc.integer({ min: 1, max: 8 }),
    share: fc.integer({ min: 0, max: 100 }),
    workers: fc.integer({ min: 1, max: 3 }),
    parallel: fc.integer({ min: 1, max: 4 }),
    callsAtOnce: fc.integer({ min: 1, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(amounts, async ({ cap, upper, share, workers, parallel, callsAtOnce }) => {
      const world = await openTestWorld()
      const run = await openRun(world, { cost: cap / 1000 })
      const actual = Math.max(1, Math.round((upper * share) / 100))
      const all = Array.from(
        { length: workers },
        (_, index) => new Spending({ world, store: new RunStore(world), worker: `w${index}`, callsAtOnce }),
      )
      const made = await Promise.all(
        all.flatMap((spending) =>
          Array.from({ length: parallel }, () =>
            spendUntilStopped(spending, run, upper / 1000, actual / 1000),
          ),
        ),
      )
      await Promise.all(all.map((spending) => spending.leave(run)))
      const calls = made.reduce((sum, count) => sum + count, 0)
      const total = await readSpending(world.ledger, run)
      expect(total).toMatchObject({ model_calls: calls, spent_cost: calls * actual * 1e6, lost_calls: 0 })
      expect(total.spent_cost).toBeLessThanOrEqual(cap * 1e6)
      if (workers === 1) expect(total.spent_cost + upper * 1e6).toBeGreaterThan(cap * 1e6)
      const row = await world.ledger.get(ledgerKeys.run(run))
      expect(row).toMatchObject({ status: 'paused' })
      const leases = await world.ledger.get(ledgerKeys.leases(run))
      expect(leases).toMatchObject({ leased_cost: total.spent_cost })
    }),
    { numRuns: 40 },
  )
})

test('a reservation whose worker died is settled once by the sweeper, and its lease returned', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const dead = new Spending({ world, store: new RunStore(world), worker: 'dead' })
  await world.ledger.update({ key: { partition: 'workers', sort: 'dead' }, set: { expires: 0 } })
  const reservation = await dead.meter(run, model).reserve({ cost: 0.01, tokens: 10 })
  const engine = openTestEngine({ world })
  await Promise.all([engine.sweep({ lostAfter: 3600 }), engine.sweep({ lostAfter: 3600 })])
  await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: 0.002 })
  await dead.settled(run)
  expect(await readSpending(world.ledger, run)).toMatchObject({
    model_calls: 1,
    lost_calls: 1,
    spent_cost: 0.01 * 1e9,
  })
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: 0.01 * 1e9 })
})

test('a worker that was taken for dead, went on and died before its next heartbeat leaves no call uncounted', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const slow = new Spending({ world, store: new RunStore(world), worker: 'slow' })
  const expires = world.clock.now() - 1000
  await world.ledger.update({ key: ledgerKeys.worker('slow'), set: { expires } })
  await slow.meter(run, model).reserve({ cost: 0.01, tokens: 10 })
  const engine = openTestEngine({ world })
  await engine.sweep({ lostAfter: 3600 })
  await slow.meter(run, model).reserve({ cost: 0.01, tokens: 10 })
  await engine.sweep({ lostAfter: 3600 })
  const counted = { model_calls: 2, lost_calls: 2, spent_cost: 0.02 * 1e9 }
  expect(await readSpending(world.ledger, run)).toMatchObject(counted)
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: 0.02 * 1e9 })
})

test('a worker that was taken for dead learns of it with its next heartbeat, and leaves the list once it is long dead', async () => {
  const world = await openTestWorld()
  const key = ledgerKeys.worker('slow')
  const engine = openTestEngine({ world })
  await world.ledger.update({ key, set: { expires: world.clock.now() - 1000 } })
  await engine.sweep({ lostAfter: 3600 })
  expect(await sendHeartbeat(world, 'slow')).toBe(false)
  expect(await sendHeartbeat(world, 'slow')).toBe(true)
  await world.ledger.update({ key, set: { expires: world.clock.now() - 1000 } })
  await engine.sweep({ lostAfter: 3600 })
  const settledAt = performance.now()
  const steady = vi.spyOn(performance, 'now')
  onTestFinished(() => steady.mockRestore())
  steady.mockReturnValue(settledAt + 100_000)
  await engine.sweep({ lostAfter: 3600 })
  expect(await world.ledger.get(key)).not.toBeNull()
  steady.mockReturnValue(settledAt + 200_000)
  await engine.sweep({ lostAfter: 3600 })
  expect(await world.ledger.get(key)).toBeNull()
})

test('a clock that is set an hour forth leaves no call uncounted of a worker that goes on and dies with its service', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const worker = new Spending({ world, store: new RunStore(world), worker: 'alive' })
  await sendHeartbeat(world, 'alive')
  const now = world.clock.now()
  const later = { ...world, clock: { ...world.clock, now: () => now + 3_600_000 } }
  for (const _ of [1, 2, 3]) await openTestEngine({ world: later }).sweep({ lostAfter: 3600 })
  await worker.meter(run, model).reserve({ cost: 0.01, tokens: 10 })
  // A service that starts again retires the workers that are on the list.
  const { items } = await world.ledger.query('workers')
  for (const { sort } of items) await retireWorker(world, sort)
  await openTestEngine({ world }).sweep({ lostAfter: 3600 })
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 1, spent_cost: 0.01 * 1e9 })
  expect(await world.ledger.get(ledgerKeys.worker('alive'))).toBeNull()
})

test('what a dead worker reserved together is counted in full, less what it had settled', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const dead = new Spending({ world, store: new RunStore(world), worker: 'dead', callsAtOnce: 4 })
  const meter = dead.meter(run, model)
  const first = await meter.reserve({ cost: 0.01, tokens: 10 })
  await meter.reserve({ cost: 0.01, tokens: 10 })
  await first.settle({ input_tokens: 5, output_tokens: 1, cost: 0.002 })
  await dead.settled(run)
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires: 0 } })
  await openTestEngine({ world }).sweep({ lostAfter: 3600 })
  const spent_cost = (0.002 + 3 * 0.01) * 1e9
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 4, lost_calls: 3, spent_cost })
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: spent_cost })
})

test("a tenant's cap pauses its runs, of which none has a cap, and counts what all of them spent", async () => {
  const world = await openTestWorld()
  await setTenantCaps(world.ledger, 'default', { cap_cost: 20e6 })
  const runs = [await openRun(world, {}), await openRun(world, {})]
  const spending = new Spending({ world, store: new RunStore(world), worker: 'one', callsAtOnce: 2 })
  const made = await Promise.all(runs.map((run) => spendUntilStopped(spending, run, 0.002, 0.001)))
  for (const run of runs) await spending.leave(run)
  const tenant = await readTenant(world.ledger, 'default')
  expect(tenant.leased_cost).toBe((made[0] ?? 0) * 1e6 + (made[1] ?? 0) * 1e6)
  expect(tenant.leased_cost).toBeLessThanOrEqual(20e6)
  for (const run of runs) {
    expect(await world.ledger.get(ledgerKeys.run(run))).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining("tenant's limit on cost"),
    })
  }
})

test('a run of an earlier version keeps what is leased of its caps on its own item', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 0.01 })
  const key = ledgerKeys.run(run)
  await world.ledger.update({ key, set: { leased_cost: 0, leased_tokens: 0 } })
  await world.ledger.update({ key: ledgerKeys.leases(run), delete: true })
  const spending = new Spending({ world, store: new RunStore(world), worker: 'one' })
  expect(await spendUntilStopped(spending, run, 0.001, 0.001)).toBe(10)
  await spending.leave(run)
  expect(await world.ledger.get(key)).toMatchObject({ status: 'paused', leased_cost: 10e6 })
  expect(await world.ledger.get(ledgerKeys.leases(run))).toBeNull()
})

test('a raised cap of a tenant lets its runs go on', async () => {
  const world = await openTestWorld()
  await setTenantCaps(world.ledger, 'default', { cap_cost: 5e6 })
  const run = await openRun(world, {})
  const spending = new Spending({ world, store: new RunStore(world), worker: 'one' })
  expect(await spendUntilStopped(spending, run, 0.001, 0.001)).toBe(5)
  await spending.leave(run)
  await setTenantCaps(world.ledger, 'default', { cap_cost: null })
  await world.ledger.update({ key: ledgerKeys.run(run), set: { status: 'running' } })
  const reservation = await spending.meter(run, model).reserve({ cost: 0.001, tokens: 10 })
  await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: 0.001 })
  await spending.leave(run)
  expect((await readTenant(world.ledger, 'default')).leased_cost).toBe(6e6)
})

test('calls side by side that take different amounts reserve one block each, and leave none behind', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, {})
  const reserved = vi.spyOn(world.ledger, 'update')
  const spending = new Spending({ world, store: new RunStore(world), worker: 'w' })
  const meter = spending.meter(run, model)
  const amounts = [30, 10, 40, 20, 50, 15]
  const reservations = await Promise.all(amounts.map((tokens) => meter.reserve({ cost: 0, tokens })))
  const blocks = reserved.mock.calls.filter(([{ set }]) => set !== undefined && 'calls' in set)
  expect(blocks.map(([{ set }]) => set?.tokens)).toEqual(amounts)
  const spent = { input_tokens: 5, output_tokens: 1, cost: 0 }
  await Promise.all(reservations.map((reservation) => reservation.settle(spent)))
  await spending.settled(run)
  const { partition } = ledgerKeys.reservation('w', '')
  expect((await world.ledger.query(partition)).items).toEqual([])
  await spending.leave(run)
})

test('a call that no block has room for opens its own, and one that has room takes from those that are open', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, {})
  const spending = new Spending({ world, store: new RunStore(world), worker: 'w', callsAtOnce: 4 })
  const meter = spending.meter(run, model)
  const rows = async () => (await world.ledger.query(ledgerKeys.reservation('w', '').partition)).items.length
  await meter.reserve({ cost: 0, tokens: 10 })
  await meter.reserve({ cost: 0, tokens: 25 })
  expect(await rows()).toBe(1)
  await meter.reserve({ cost: 0, tokens: 30 })
  expect(await rows()).toBe(2)
  await meter.reserve({ cost: 0, tokens: 30 })
  expect(await rows()).toBe(2)
})

test('what many workers spent stands in few items once they have left', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: 1 })
  const workers = Array.from({ length: 40 }, (_, index) => `lambda-${index}`)
  for (const worker of workers) {
    const spending = new Spending({ world, store: new RunStore(world), worker })
    const reservation = await spending.meter(run, model).reserve({ cost: 0.002, tokens: 10 })
    await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: 0.001 })
    await spending.leave(run)
  }
  const { items } = await world.ledger.query(ledgerKeys.spending(run, '').partition)
  expect(items.length).toBeLessThanOrEqual(8)
  const spent = { model_calls: 40, spent_cost: 40e6, input_tokens: 200, leased_cost: 40e6 }
  expect(await readSpending(world.ledger, run)).toMatchObject(spent)
  expect(await world.ledger.get(ledgerKeys.leases(run))).toMatchObject({ leased_cost: 40e6 })
})

test('cached and reasoning tokens are counted among the others, and items from before they were counted have none', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, {})
  const earlier = { input_tokens: 100, output_tokens: 10, model_calls: 1, spent_cost: 5, lost_calls: 0 }
  await world.ledger.update({ key: ledgerKeys.spending(run, 'earlier'), set: earlier })
  const spending = new Spending({ world, store: new RunStore(world), worker: 'w' })
  for (const cached_tokens of [8, 0, 4]) {
    const reservation = await spending.meter(run, model).reserve({ cost: 1, tokens: 20 })
    await reservation.settle({
      input_tokens: 9,
      cached_tokens,
      output_tokens: 1,
      reasoning_tokens: 1,
      cost: 0.5,
    })
  }
  await spending.leave(run)
  expect(await readSpending(world.ledger, run)).toMatchObject({
    input_tokens: 127,
    cached_tokens: 12,
    reasoning_tokens: 3,
  })
  const { usage } = await openTestEngine({ world }).runs.get(run)
  expect(usage).toMatchObject({ input_tokens: 127, cached_tokens: 12, output_tokens: 13, model_calls: 4 })
  expect(usage).toHaveProperty('reasoning_tokens', 3)
})
