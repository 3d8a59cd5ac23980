import { describe, expect, test } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import type { ReconcileCall } from '../../../../shared/core/engine/spending/settle-block.ts'
import { Spending } from '../../../../shared/core/engine/spending/spending.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import { retireWorker, sendHeartbeat, timeSinceFoundDead } from '../../../../shared/core/engine/workers.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const nano = 1e6
const second = 1000
const answer = { input_tokens: 5, output_tokens: 1, cost: 0.002 }

/** A run under a cap of a dollar with one call, of a cent at most, that the worker `dead` left reserved. */
async function leaveCall(world: World) {
  const { id } = await openTestEngine({ world }).runs.create(toRequest({ limits: { cost: 1 } }))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  const spending = new Spending({ world, store: new RunStore(world), worker: 'dead' })
  const bound = { cost: 0.01, tokens: 10 }
  const reservation = await spending.meter(id, { endpoint: 'test', id: 'test' }).reserve(bound)
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires: 0 } })
  return { run: id, spending, reservation }
}

/** The same, of a worker that only stands still: its last heartbeat is old. */
async function standStill(world: World) {
  const left = await leaveCall(world)
  const expires = world.clock.now() - second
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires } })
  return left
}

const reservations = async ({ ledger }: World) =>
  (await ledger.query('reservations/dead', {})).items.map(({ item }) => item)

/** One sweep by a process of its own, `after` milliseconds from now, with the date set forward by `set`. */
async function sweepAt(world: World, after: number, reconcile: ReconcileCall, set = 0): Promise<void> {
  const uptime = () => {
    const read = world.clock.uptime?.() ?? { of: 'none', milliseconds: 0 }
    return { ...read, milliseconds: read.milliseconds + after }
  }
  const clock = { ...world.clock, uptime, now: () => world.clock.now() + after + set }
  await openTestEngine({ world: { ...world, clock }, reconcile }).sweep({ lostAfter: 3600 })
}

/** The same world, of which one request fails: the one after so many others, made all the same or not. */
function failingWorld(world: World) {
  let left = Number.POSITIVE_INFINITY
  let isMadeAnyway = false
  let failed = false
  async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    left -= 1
    if (left !== -1) return request()
    failed = true
    if (isMadeAnyway) await request()
    throw new Error('The ledger is away.')
  }
  const { ledger } = world
  const failing: World = {
    ...world,
    ledger: {
      get: (key) => ask(() => ledger.get(key)),
      query: (partition, options) => ask(() => ledger.query(partition, options)),
      update: (change) => ask(() => ledger.update(change)),
      transact: (changes) => ask(() => ledger.transact(changes)),
    },
  }
  const failNext = (after: number, isMade: boolean) => {
    left = after
    isMadeAnyway = isMade
  }
  return { world: failing, failNext, hasFailed: () => failed }
}

const leased = (world: World, run: string) => world.ledger.get(ledgerKeys.leases(run))

test('a call whose endpoint cannot be asked stays reserved, and is counted as paid once the endpoint answers', async () => {
  const world = await openTestWorld()
  const { run } = await leaveCall(world)
  await sweepAt(world, 0, async () => 'unreachable')
  await sweepAt(world, 300 * second, async () => 'unreachable')
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0 })
  expect(await leased(world, run)).toMatchObject({ leased_cost: 10 * nano, leased_tokens: 10 })
  for (const after of [310, 320]) await sweepAt(world, after * second, async () => answer)
  const counted = { model_calls: 1, lost_calls: 1, spent_cost: 2 * nano, input_tokens: 5, output_tokens: 1 }
  expect(await readSpending(world.ledger, run)).toMatchObject({ ...counted, bound_calls: 0, bound_cost: 0 })
  expect(await openTestEngine({ world }).runs.get(run)).not.toHaveProperty('bounds')
  expect(await leased(world, run)).toMatchObject({ leased_cost: 2 * nano, leased_tokens: 6 })
  expect(await world.ledger.get(ledgerKeys.worker('dead'))).toBeNull()
})

test('a call whose endpoint cannot be asked for ten minutes counts in full, as an upper bound', async () => {
  const world = await openTestWorld()
  const { run } = await leaveCall(world)
  await sweepAt(world, 0, async () => 'unreachable')
  await sweepAt(world, 601 * second, async () => 'unreachable')
  expect(await readSpending(world.ledger, run)).toMatchObject({ lost_calls: 1, spent_cost: 10 * nano })
  const { bounds, usage } = await openTestEngine({ world }).runs.get(run)
  expect(bounds).toEqual({ model_calls: 1, tokens: 10, cost: 0.01 })
  expect(usage).toMatchObject({ model_calls: 1, cost: 0.01 })
})

test('a call that reaches its endpoint after its sender has died is counted', async () => {
  const world = await openTestWorld()
  const { run } = await leaveCall(world)
  await sweepAt(world, 0, async () => 'unseen')
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0 })
  await sweepAt(world, second, async () => answer)
  expect(await readSpending(world.ledger, run)).toMatchObject({ lost_calls: 1, spent_cost: 2 * nano })
})

test('a call that its endpoint has not seen at a second look was never paid', async () => {
  const world = await openTestWorld()
  const { run } = await leaveCall(world)
  await sweepAt(world, 0, async () => 'unseen')
  expect(await leased(world, run)).toMatchObject({ leased_cost: 10 * nano })
  await sweepAt(world, 11 * second, async () => 'unseen')
  expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0, spent_cost: 0 })
  expect(await leased(world, run)).toMatchObject({ leased_cost: 0 })
})

test.each([3_600_000, -3_600_000])(
  'a date set by %i ms between two processes makes no call final before its time',
  async (set) => {
    const world = await openTestWorld()
    const { run } = await leaveCall(world)
    await sweepAt(world, 0, async () => 'unseen')
    await sweepAt(world, second, async () => 'unseen', set)
    expect(await leased(world, run)).toMatchObject({ leased_cost: 10 * nano })
    await sweepAt(world, 2 * second, async () => answer, set)
    expect(await readSpending(world.ledger, run)).toMatchObject({ lost_calls: 1, spent_cost: 2 * nano })
  },
)

test('a mark of an older version, of the date alone, is read', async () => {
  const world = await openTestWorld()
  const { run } = await leaveCall(world)
  const key = ledgerKeys.worker('dead')
  await world.ledger.update({ key, set: { found_dead_at: world.clock.now() - 11 * second } })
  await sweepAt(world, 0, async () => 'unseen')
  expect(await leased(world, run)).toMatchObject({ leased_cost: 0 })
})

test('the wait begins anew for a worker that came back and died again', async () => {
  const world = await openTestWorld()
  const { run, spending } = await leaveCall(world)
  await sweepAt(world, 0, async () => 'unseen')
  await sendHeartbeat(world, 'dead')
  await spending.meter(run, { endpoint: 'test', id: 'test' }).reserve({ cost: 0.01, tokens: 10 })
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires: 0 } })
  await sweepAt(world, 60 * second, async () => 'unseen')
  expect(await leased(world, run)).toMatchObject({ leased_cost: 20 * nano })
})

describe('a worker that stood still while it was presumed dead', () => {
  const settledAs = [
    ['answered', { model_calls: 1, lost_calls: 0, spent_cost: 2 * nano, input_tokens: 5, output_tokens: 1 }],
    ['lost', { model_calls: 1, lost_calls: 1, spent_cost: 10 * nano, bound_calls: 1 }],
    ['never sent', { model_calls: 0, spent_cost: 0 }],
  ] as const

  test.each(settledAs)('counts a call once that it sent after all, %s', async (how, counted) => {
    const world = await openTestWorld()
    const { run, spending, reservation } = await standStill(world)
    for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
    expect(await leased(world, run)).toMatchObject({ leased_cost: 0, leased_tokens: 0 })
    await sendHeartbeat(world, 'dead')
    await spending.holdAgain()
    if (how === 'answered') await reservation.settle(answer)
    else if (how === 'lost') await reservation.lose()
    else await reservation.release()
    await spending.leaveAll()
    expect(await readSpending(world.ledger, run)).toMatchObject(counted)
    expect(await reservations(world)).toEqual([])
  })

  test.each(settledAs)(
    'counts it once whichever request to the ledger fails, made or not, %s',
    async (how, counted) => {
      for (const isMade of [true, false]) {
        for (let failing = 0, failed = true; failed; failing += 1) {
          const { world, failNext, hasFailed } = failingWorld(await openTestWorld())
          const { run, spending, reservation } = await standStill(world)
          for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
          await sendHeartbeat(world, 'dead')
          await spending.holdAgain()
          failNext(failing, isMade)
          const settled =
            how === 'answered'
              ? reservation.settle(answer)
              : how === 'lost'
                ? reservation.lose()
                : reservation.release()
          await settled.catch(() => undefined)
          await spending.settled(run).catch(() => undefined)
          await spending.leaveAll().catch(() => undefined)
          await spending.leaveAll()
          failed = hasFailed()
          failNext(Number.POSITIVE_INFINITY, false)
          expect(await readSpending(world.ledger, run), `request ${failing}`).toMatchObject(counted)
          expect(await reservations(world)).toEqual([])
          expect(await world.ledger.get(ledgerKeys.holding('dead', run))).toBeNull()
          expect(await leased(world, run)).toMatchObject({ leased_cost: counted.spent_cost })
        }
      }
    },
  )

  test('does not count a call again that the endpoint had seen', async () => {
    const world = await openTestWorld()
    const { run, spending, reservation } = await standStill(world)
    await sweepAt(world, 0, async () => answer)
    await sendHeartbeat(world, 'dead')
    await reservation.settle(answer)
    await spending.leaveAll()
    expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 1, spent_cost: 2 * nano })
  })

  test('is no loss if it died before it counted the call that it sent after all', async () => {
    const world = await openTestWorld()
    const { run, reservation } = await standStill(world)
    for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
    await sweepAt(world, 20 * second, async () => answer)
    const counted = { model_calls: 1, lost_calls: 1, spent_cost: 2 * nano, input_tokens: 5, output_tokens: 1 }
    expect(await readSpending(world.ledger, run)).toMatchObject(counted)
    expect(await reservations(world)).toEqual([])
    await reservation.settle(answer)
    expect(await readSpending(world.ledger, run)).toMatchObject(counted)
  })

  test.each(['unseen', 'unreachable'] as const)(
    'is no loss if it was killed right behind the call that it sent after all, first %s',
    async (known) => {
      const world = await openTestWorld()
      const { run } = await standStill(world)
      for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
      await retireWorker(world, 'dead')
      for (const after of [20, 25]) await sweepAt(world, after * second, async () => known)
      await sweepAt(world, 29 * second, async () => answer)
      const counted = { model_calls: 1, lost_calls: 1, spent_cost: 2 * nano }
      expect(await readSpending(world.ledger, run)).toMatchObject(counted)
      expect(await reservations(world)).toEqual([])
    },
  )

  test('is forgotten once what it sent can no longer arrive', async () => {
    const world = await openTestWorld()
    const { run } = await standStill(world)
    for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
    await retireWorker(world, 'dead')
    for (const after of [20, 31]) await sweepAt(world, after * second, async () => 'unseen')
    expect(await reservations(world)).toEqual([])
    expect(await world.ledger.get(ledgerKeys.worker('dead'))).toBeNull()
    expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0, spent_cost: 0 })
  })

  test('has its wait begin anew in the same process', async () => {
    const world = await openTestWorld()
    const found = { found: new Map<string, number>(), settled: new Map<string, number>() }
    const { run } = await standStill(world)
    found.found.set('dead', performance.now() - 60 * second)
    expect(await timeSinceFoundDead(world, 'dead', found)).toBe(0)
    expect(await timeSinceFoundDead(world, 'dead', found)).toBeLessThan(60 * second)
    found.found.set('dead', performance.now() - 60 * second)
    expect(await timeSinceFoundDead(world, 'dead', found)).toBeGreaterThanOrEqual(60 * second)
    expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0 })
  })

  test('leaves nothing behind if it never returns', async () => {
    const world = await openTestWorld()
    const { run } = await standStill(world)
    for (const after of [0, 11]) await sweepAt(world, after * second, async () => 'unseen')
    expect(await reservations(world)).toMatchObject([{ unseen: 1, cost: 0, tokens: 0 }])
    await sweepAt(world, 48 * 3600 * second, async () => 'unseen')
    expect(await reservations(world)).toEqual([])
    expect(await world.ledger.get(ledgerKeys.worker('dead'))).toBeNull()
    expect(await world.ledger.get(ledgerKeys.holding('dead', run))).toBeNull()
    expect(await readSpending(world.ledger, run)).toMatchObject({ model_calls: 0, spent_cost: 0 })
  })
})
