import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Clock, Ledger } from '../../../shared/core/world/ports.ts'
import { askForSlots, readDemand, withdrawDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import type { HostRow } from '../../../shared/environments/hosts/host-row.ts'
import { leaseSlot, releaseSlot, renewSlot } from '../../../shared/environments/hosts/slot-lease.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const duration = 60_000

async function openRegistry(...hosts: Partial<HostRow>[]) {
  const { ledger } = await openTestWorld()
  const time = { now: Date.now() }
  const clock: Clock = { now: () => time.now, sleep: async () => undefined }
  const registry = new HostRegistry(ledger)
  for (const host of hosts) await registry.enter({ ...row, ...host })
  return { world: { ledger, clock }, registry, time }
}

const row: HostRow = {
  id: 'host_1',
  image: 'env-host',
  address: 'http://10.0.0.1:8080',
  status: 'running',
  slots: 3,
  sessions: 0,
  draining: false,
  launched_at: 0,
  seen_at: 0,
  idle_since: 0,
}

describe('leasing a slot', () => {
  const ask = (holder: string) => ({ image: 'env-host', holder, duration })

  test('gives each holder another slot, until there are none', async () => {
    const { world } = await openRegistry({})
    const slots = await Promise.all(['a', 'b', 'c'].map((holder) => leaseSlot(world, ask(holder))))
    expect(new Set(slots.map((slot) => slot?.session))).toEqual(new Set(['slot-0', 'slot-1', 'slot-2']))
    expect(await leaseSlot(world, ask('d'))).toBeNull()
    const [first] = slots
    if (!first) throw new Error('The first has a slot.')
    await releaseSlot(world, first)
    expect(await leaseSlot(world, ask('d'))).toMatchObject({ session: first.session, token: first.token + 1 })
  })

  test('gives a holder that asks again what it has', async () => {
    const { world } = await openRegistry({ slots: 500 })
    const slot = await leaseSlot(world, ask('a'))
    expect(await leaseSlot(world, ask('a'))).toEqual(slot)
  })

  test('of a host that is full is not tried, because every try is paid for', async () => {
    const { world } = await openRegistry({ sessions: 3 })
    for (const holder of ['a', 'b', 'c']) expect(await leaseSlot(world, ask(holder))).not.toBeNull()
    let writes = 0
    const ledger: Ledger = {
      get: (key) => world.ledger.get(key),
      query: (partition, options) => world.ledger.query(partition, options),
      transact: (changes) => world.ledger.transact(changes),
      update: (change) => {
        writes += 1
        return world.ledger.update(change)
      },
    }
    expect(await leaseSlot({ ...world, ledger }, ask('d'))).toBeNull()
    expect(writes).toBe(0)
    expect(await leaseSlot(world, ask('b'))).toMatchObject({ token: 1 })
  })

  test('prefers the host with most free slots, and leaves out what takes no sessions', async () => {
    const { world } = await openRegistry(
      { id: 'full', sessions: 3 },
      { id: 'empty', sessions: 1 },
      { id: 'other', image: 'scienceworld' },
      { id: 'starting', status: 'starting', seen_at: null },
      { id: 'leaving', status: 'leaving' },
      { id: 'draining', draining: true },
    )
    expect(await leaseSlot(world, ask('a'))).toMatchObject({ host: 'empty' })
    expect(await leaseSlot(world, { ...ask('b'), except: ['empty'] })).toMatchObject({ host: 'full' })
    expect(await leaseSlot(world, { ...ask('c'), except: ['empty', 'full'] })).toBeNull()
    expect(await leaseSlot(world, { ...ask('c'), host: 'full' })).toMatchObject({ host: 'full' })
    expect(await leaseSlot(world, { ...ask('c'), host: 'nowhere' })).toBeNull()
  })

  test('lets another have the slot with a higher token once it has expired, not before', async () => {
    const { world, time } = await openRegistry({ slots: 1 })
    const slot = await leaseSlot(world, ask('a'))
    if (slot === null) throw new Error('There is a slot.')
    time.now += duration / 2
    const renewed = await renewSlot(world, slot, duration)
    time.now += duration - 1
    expect(await leaseSlot(world, ask('b'))).toBeNull()
    time.now += 1
    expect(await leaseSlot(world, ask('b'))).toMatchObject({
      session: slot.session,
      token: slot.token + 1,
    })
    expect(renewed && (await renewSlot(world, renewed, duration))).toBeNull()
  })

  test('and closing a host exclude each other, in whatever order their steps happen', async () => {
    const { world } = await openRegistry()
    let round = 0
    const property = fc.asyncProperty(fc.scheduler(), fc.constantFrom(1, 2), async (scheduler, passes) => {
      round += 1
      const id = `host_${round}`
      await new HostRegistry(world.ledger).enter({ ...row, id })
      const ledger = inTheOrderOf(scheduler, world.ledger)
      const registry = new HostRegistry(ledger)
      const leasing = leaseSlot({ ...world, ledger }, { ...ask('a'), host: id })
      const closing = ['one', 'two']
        .slice(0, passes)
        .map((pass) => registry.close(id, pass, world.clock.now()))
      const [slot, closed] = await scheduler.waitFor(Promise.all([leasing, Promise.all(closing)]))
      expect(slot !== null && closed.includes(true)).toBe(false)
    })
    await fc.assert(property, { numRuns: 1000 })
  })
})

/** The ledger, whose calls happen one by one in an order of the scheduler's. */
function inTheOrderOf(scheduler: fc.Scheduler, ledger: Ledger): Ledger {
  return {
    get: scheduler.scheduleFunction(ledger.get.bind(ledger)),
    update: scheduler.scheduleFunction(ledger.update.bind(ledger)),
    transact: scheduler.scheduleFunction(ledger.transact.bind(ledger)),
    query: scheduler.scheduleFunction(ledger.query.bind(ledger)),
  }
}

describe('demand', () => {
  test('counts what is waited for now', async () => {
    const { world, time } = await openRegistry()
    const ask = (who: string, slots: number) =>
      askForSlots(world, { image: 'env-host', who, slots, duration })
    await ask('a', 2)
    await ask('b', 3)
    await ask('a', 4)
    await askForSlots(world, { image: 'other', who: 'a', slots: 9, duration })
    expect(await readDemand(world, 'env-host')).toBe(7)
    await withdrawDemand(world, { image: 'env-host', who: 'b' })
    expect(await readDemand(world, 'env-host')).toBe(4)
    time.now += duration
    expect(await readDemand(world, 'env-host')).toBe(0)
  })
})
