import { expect, test } from 'vitest'
import type { Clock, Host, Hosts } from '../../../shared/core/world/ports.ts'
import { type FleetFault, isHopeless, launchesPause } from '../../../shared/environments/hosts/fleet-fault.ts'
import { fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { askForSlots, readDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { HostRegistry, leaseDuration } from '../../../shared/environments/hosts/host-registry.ts'
import { LeasedPlace } from '../../../shared/environments/hosts/host-sessions.ts'
import { newHostRow } from '../../../shared/environments/hosts/observe-hosts.ts'
import { scaleFleet } from '../../../shared/environments/hosts/scale-fleet.ts'
import { leaseSlot, type SlotLease } from '../../../shared/environments/hosts/slot-lease.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const hour = 3_600_000
const image = 'env-host'
const host: Host = { id: 'host_1', image, status: 'running', address: 'http://10.0.0.1:8080', reason: null }

/** One host with one slot, seen to be well, at a time that the test sets. */
async function openHost() {
  const { ledger } = await openTestWorld()
  // Ahead of the system's, by which the ledger lets go of what has expired.
  const time = { now: Date.now() + 2 * hour }
  const clock: Clock = { now: () => time.now, sleep: async () => undefined }
  const registry = new HostRegistry(ledger)
  const seen = { status: 'running' as const, seen_at: time.now, idle_since: time.now }
  await registry.enter({ ...newHostRow(host, 1, time.now), ...seen })
  const world = { ledger, clock }
  return {
    world,
    time,
    lease: (holder: string) => leaseSlot(world, { image, holder, duration: leaseDuration }),
  }
}

function held(slot: SlotLease | null): SlotLease {
  if (slot === null) throw new Error('There is a free slot.')
  return slot
}

test('a slot whose holder died is leased again in time, also where the clock was set back since', async () => {
  const { time, lease } = await openHost()
  expect(await lease('dead')).not.toBeNull()
  time.now -= hour
  expect(await lease('other')).toMatchObject({ host: host.id, token: 2 })
  const other = await openHost()
  expect(await other.lease('dead')).not.toBeNull()
  other.time.now -= leaseDuration / 2
  expect(await other.lease('other')).toBeNull()
  other.time.now += leaseDuration * 1.5
  expect(await other.lease('other')).toMatchObject({ token: 2 })
})

test('who uses a slot keeps it where the clock is set back', async () => {
  const { world, time, lease } = await openHost()
  const place = new LeasedPlace(world, held(await lease('mine')))
  time.now -= hour
  const { token, lease: renewed } = await place.hold()
  expect([token, renewed.expires_at]).toEqual([1, time.now + leaseDuration])
  expect(await lease('other')).toBeNull()
})

test('what was waited for before the clock was set back counts once it is asked for again', async () => {
  const { world, time } = await openHost()
  const ask = () => askForSlots(world, { image, who: 'a', slots: 2, duration: 15_000 })
  await ask()
  time.now -= hour
  expect(await readDemand(world, image)).toBe(0)
  await ask()
  expect(await readDemand(world, image)).toBe(2)
})

test('launches that failed before the clock was set back do not keep others from being tried', () => {
  const fault: FleetFault = { count: 5, reason: 'Java is missing.', at: hour }
  expect(launchesPause(fault, hour + 4000)).toBe(true)
  expect(launchesPause(fault, hour + 5000)).toBe(false)
  expect(launchesPause(fault, 0)).toBe(false)
})

test('who waits for hosts gives up after another launch failed, whatever the clock says', () => {
  const before: FleetFault = { count: 3, reason: 'Java is missing.', at: hour }
  expect(isHopeless(before, before)).toBe(false)
  expect(isHopeless({ ...before, count: 4, at: 0 }, before)).toBe(true)
  // It worked for a while, and fails again.
  expect(isHopeless({ ...before, at: 0 }, before)).toBe(true)
  expect(isHopeless({ ...before, count: 2, at: 0 }, before)).toBe(false)
  expect(isHopeless(before, null)).toBe(true)
})

test.each([-hour, hour])(
  'a host that answers no longer is given up in time, also where the clock is set by %i ms',
  async (by) => {
    const { world, time } = await openHost()
    const limits = fleetLimitsSchema.parse({ slots: 1, lost_after: 300 })
    const stopped: string[] = []
    const hosts: Hosts = {
      launch: () => Promise.reject(new Error('Nobody waits.')),
      describe: async () => [host],
      list: async () => [host],
      stop: async (id) => {
        stopped.push(id)
      },
    }
    let isWell = true
    const health = {
      object: 'health',
      status: 'ok',
      environments: [],
      slots: 1,
      sessions: 1,
      free_slots: 0,
      idle_for: 0,
    }
    const caller = {
      call: async () => (isWell ? { status: 200, body: health } : { status: 503, body: null }),
    }
    const scale = () => scaleFleet({ ...world, hosts }, { image, limits, caller })
    await scale()
    time.now += by
    await scale()
    expect(stopped).toEqual([])
    isWell = false
    time.now += 299_000
    await scale()
    expect(stopped).toEqual([])
    time.now += 2000
    await scale()
    expect(stopped).toEqual([host.id])
  },
)

test('a host that stopped answering before the clock was set back is given up as long after it', async () => {
  const { world, time } = await openHost()
  const limits = fleetLimitsSchema.parse({ slots: 1, lost_after: 300 })
  const stopped: string[] = []
  const hosts: Hosts = {
    launch: () => Promise.reject(new Error('Nobody waits.')),
    describe: async () => [host],
    list: async () => [host],
    stop: async (id) => {
      stopped.push(id)
    },
  }
  const caller = { call: async () => ({ status: 503, body: null }) }
  const scale = () => scaleFleet({ ...world, hosts }, { image, limits, caller })
  time.now -= hour
  await scale()
  expect(stopped).toEqual([])
  time.now += 301_000
  await scale()
  expect(stopped).toEqual([host.id])
})
