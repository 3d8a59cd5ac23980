import { expect, test } from 'vitest'
import { NoCapacityError } from '../../../shared/core/world/no-capacity-error.ts'
import type { Host, HostRequest, Hosts } from '../../../shared/core/world/ports.ts'
import { isHopeless, readFleetFault } from '../../../shared/environments/hosts/fleet-fault.ts'
import { fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { askForSlots } from '../../../shared/environments/hosts/host-demand.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { newHostRow } from '../../../shared/environments/hosts/observe-hosts.ts'
import { scaleFleet } from '../../../shared/environments/hosts/scale-fleet.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const image = 'env-host'
const limits = fleetLimitsSchema.parse({ slots: 1, burst: 1 })
const address = 'http://10.0.0.1:8080'
const counts = { slots: 1, sessions: 1, free_slots: 0, idle_for: 0 }
const health = { object: 'health', status: 'ok', environments: [], ...counts }
const caller = { call: async () => ({ status: 200, body: health }) }

/** A fleet that is waited for, in an account that gives it what the test says. */
async function openFleet(give: (request: HostRequest) => Host) {
  const { ledger } = await openTestWorld()
  const time = { now: Date.now() }
  const clock = { now: () => time.now, sleep: async () => undefined }
  const requests: HostRequest[] = []
  const given = new Map<string, Host>()
  const hosts: Hosts = {
    launch: async (request) => {
      requests.push(request)
      const host = give(request)
      given.set(host.id, host)
      return host
    },
    list: async () => [...given.values()].filter(({ status }) => status !== 'stopped'),
    describe: async (ids) => ids.flatMap((id) => given.get(id) ?? []),
    stop: async () => undefined,
  }
  const world = { ledger, clock, hosts }
  const scale = async (seconds: number) => {
    time.now += seconds * 1000
    await askForSlots(world, { image, who: 'a test', slots: 5, duration: 60_000 })
    return scaleFleet(world, { image, limits, caller })
  }
  return { world, given, requests, scale, fault: () => readFleetFault(world, image) }
}

function refuse(): never {
  throw new NoCapacityError("You've reached the limit on the number of vCPUs you can run concurrently")
}

test('a quota that lets no host start is a fault that shows, and ends the wait only when it lasts', async () => {
  const { scale, fault, requests } = await openFleet(refuse)
  const { failures } = await scale(0)
  expect(failures).toHaveLength(1)
  const first = await fault()
  expect(first).toMatchObject({ count: 1, reason: expect.stringContaining('limit on the number of vCPUs') })
  for (let minute = 0; minute < 9; minute += 1) await scale(60)
  expect(isHopeless(await fault(), first)).toBe(false)
  await scale(120)
  expect(isHopeless(await fault(), first)).toBe(true)
  // It is tried again and again, but not with every pass.
  const before = requests.length
  for (let pass = 0; pass < 5; pass += 1) await scale(5)
  expect(requests).toHaveLength(before)
})

test('who waits for slots of hosts that run is not given up because there are no more hosts', async () => {
  const { world, given, scale, fault } = await openFleet(refuse)
  const running: Host = { id: 'host_1', image, status: 'running', address, reason: null }
  given.set(running.id, running)
  await new HostRegistry(world.ledger).enter(newHostRow(running, 1, world.clock.now()))
  await scale(0)
  for (let minute = 0; minute < 30; minute += 1) await scale(60)
  const last = await fault()
  expect(last?.count).toBeGreaterThan(3)
  expect(isHopeless(last, null)).toBe(false)
})

test('after machines were promised and not there, the next hosts are launched on demand', async () => {
  const { given, scale, requests, fault } = await openFleet(({ token, on_demand }) => {
    const status = on_demand ? 'running' : 'starting'
    return { id: token, image, status, address: on_demand ? address : null, reason: null }
  })
  await scale(0)
  for (const host of given.values()) {
    given.set(host.id, { ...host, status: 'stopped', reason: 'No machine.', lacked_capacity: true })
  }
  await scale(5)
  expect(await fault()).toMatchObject({ reason: 'No machine.', lacking_since: expect.any(Number) })
  await scale(5)
  expect(requests.at(-1)).toMatchObject({ on_demand: true })
  expect(requests[0]).not.toHaveProperty('on_demand')
  await scale(60)
  await scale(60)
  expect(await fault()).toBeNull()
})
