import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { sessionSchema } from '../../../shared/core/contracts/session.ts'
import type { Clock, Hosts, World } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { type FleetLimits, fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { askForSlots, withdrawDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { scaleFleet } from '../../../shared/environments/hosts/scale-fleet.ts'
import { leaseSlot, releaseSlot, type SlotLease } from '../../../shared/environments/hosts/slot-lease.ts'
import { openHostWorld } from './host-images.ts'

const limits = fleetLimitsSchema.parse({ slots: 2, max_hosts: 3, burst: 3, idle: 60, lost_after: 300 })
/** Idle for any time is idle for long enough. */
const atOnce = { idle: 0.000_001 }
const image = 'env-host'
const demand = { image, who: 'a test', duration: 600_000 }
const ask = { image, holder: 'a test', duration: 600_000 }
const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0 }

/** Real hosts, whose fleet lives in a time that the test moves on. */
async function openFleet() {
  const { ledger, hosts, folder } = await openHostWorld()
  const shift = { milliseconds: 0 }
  const clock: Clock = { now: () => Date.now() + shift.milliseconds, sleep: async () => undefined }
  const world = { ledger, hosts, clock }
  const caller = new DirectHostCaller({ world, network: 'this-machine' })
  const scale = (over: Partial<FleetLimits & Pick<World, 'hosts'>> = {}) => {
    const { hosts: seen = hosts, ...changed } = over
    return scaleFleet({ ...world, hosts: seen }, { image, limits: { ...limits, ...changed }, caller })
  }
  const later = (seconds: number) => {
    shift.milliseconds += seconds * 1000
  }
  return { world, caller, scale, later, folder, registry: new HostRegistry(ledger) }
}

type Fleet = Awaited<ReturnType<typeof openFleet>>

async function openSession({ world, caller }: Fleet): Promise<SlotLease> {
  const slot = await leaseSlot(world, ask)
  if (slot === null) throw new Error('There is a free slot.')
  const { host, session: id, token } = slot
  const answer = await caller.call({ operation: 'create', host, body: { ...task, id, token } })
  expect(sessionSchema.parse(answer.body).id).toBe(id)
  return slot
}

describe('a pass over the fleet', () => {
  test('launches what is waited for; the next sees it run, and lets slots be leased', async () => {
    const fleet = await openFleet()
    expect(await fleet.scale()).toMatchObject({ running: 0, wanted: 0, launched: [], stopped: [] })
    await askForSlots(fleet.world, { ...demand, slots: 3 })
    const first = await fleet.scale()
    expect(first).toMatchObject({ running: 0, wanted: 2, waiting: 3, failures: [] })
    expect(first.launched).toHaveLength(2)
    expect(await leaseSlot(fleet.world, ask)).toBeNull()
    expect(await fleet.scale()).toMatchObject({ running: 2, wanted: 2, launched: [] })
    await openSession(fleet)
    expect(await fleet.scale()).toMatchObject({ running: 2, sessions: 1 })
    const [log = ''] = first.launched.map((id) => `${fleet.folder}/hosts/${id}.log`)
    expect(await readFile(log, 'utf8')).toContain('{"port":')
  })

  test('twice at once launches once', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 4 })
    await Promise.all([fleet.scale(), fleet.scale(), fleet.scale()])
    expect(await fleet.world.hosts.list()).toHaveLength(2)
    expect(await fleet.scale()).toMatchObject({ running: 2, launched: [] })
  })

  test('that died after its launches leaves hosts that the next one finds', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 4 })
    const { hosts } = fleet.world
    const dying: Hosts = {
      launch: async (request) => {
        await hosts.launch(request)
        throw new Error('The answer was lost.')
      },
      describe: (ids) => hosts.describe(ids),
      list: () => hosts.list(),
      stop: (id) => hosts.stop(id),
    }
    expect((await fleet.scale({ hosts: dying })).failures).toHaveLength(2)
    expect(await fleet.scale()).toMatchObject({ launched: [] })
    expect(await fleet.world.hosts.list()).toHaveLength(2)
    expect(await fleet.scale()).toMatchObject({ running: 2 })
  })

  test('stays within the limit of hosts, and says how many were wanted', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 9 })
    expect((await fleet.scale()).launched).toHaveLength(3)
    expect(await fleet.scale()).toMatchObject({ running: 3, wanted: 5, launched: [] })
  })

  test('stops what is idle, never a host with a session or a lease, and ends with nothing', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 3 })
    await fleet.scale()
    await fleet.scale()
    await withdrawDemand(fleet.world, demand)
    const slot = await openSession(fleet)
    expect(await fleet.scale()).toMatchObject({ stopped: [] })
    const other = (await fleet.registry.list()).find(({ id }) => id !== slot.host)?.id
    expect(await fleet.scale(atOnce)).toMatchObject({ stopped: [other] })
    await fleet.caller.call({
      operation: 'close',
      host: slot.host,
      session: slot.session,
      body: { token: slot.token },
    })
    // The session is closed, but its slot is still leased: its holder may open another.
    expect(await fleet.scale(atOnce)).toMatchObject({ running: 1, stopped: [] })
    await releaseSlot(fleet.world, slot)
    expect(await fleet.scale(atOnce)).toMatchObject({ stopped: [slot.host] })
    expect(await fleet.scale()).toMatchObject({ running: 0, wanted: 0 })
    expect(await fleet.world.hosts.list()).toEqual([])
    expect(await fleet.registry.list()).toEqual([])
    expect(await fleet.world.ledger.query(`hosts/${slot.host}/slots`)).toMatchObject({ items: [] })
  })

  test('forgets a host that died, and launches another for those who wait', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 1 })
    const [dead = ''] = (await fleet.scale()).launched
    await fleet.scale()
    await fleet.world.hosts.stop(dead)
    const { launched } = await fleet.scale()
    expect(launched).toHaveLength(1)
    expect(launched).not.toContain(dead)
    expect((await fleet.registry.list()).map(({ id }) => id)).toEqual(launched)
    const caller = new DirectHostCaller({ world: fleet.world, network: 'this-machine' })
    const answer = await caller.call({ operation: 'health', host: dead })
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'unknown_host' } } })
  })

  test('gives up a host that no longer answers', async () => {
    const fleet = await openFleet()
    await askForSlots(fleet.world, { ...demand, slots: 1 })
    const [id = ''] = (await fleet.scale()).launched
    await fleet.scale()
    await withdrawDemand(fleet.world, demand)
    await openSession(fleet)
    await fleet.scale()
    const { hosts } = fleet.world
    const silent: Hosts = {
      launch: (request) => hosts.launch(request),
      stop: (host) => hosts.stop(host),
      list: async () => (await hosts.list()).map((host) => ({ ...host, address: 'http://127.0.0.1:1' })),
      describe: async (ids) =>
        (await hosts.describe(ids)).map((host) => ({ ...host, address: 'http://127.0.0.1:1' })),
    }
    fleet.later(290)
    expect(await fleet.scale({ hosts: silent })).toMatchObject({ stopped: [] })
    fleet.later(20)
    expect(await fleet.scale({ hosts: silent })).toMatchObject({ stopped: [id] })
    expect(await hosts.list()).toEqual([])
  })
})
