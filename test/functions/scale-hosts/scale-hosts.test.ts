import { matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFleetSettings } from '../../../functions/scale-hosts/fleet-settings.ts'
import { scaleHosts } from '../../../functions/scale-hosts/scale-hosts.ts'
import { LaunchRecords } from '../../../shared/core/world/aws/launch-records.ts'
import type { Clock, Ledger } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { endScalerCall } from '../../../shared/environments/hosts/fleet-call.ts'
import { askForSlots, withdrawDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { hostKeys, hostPartitions } from '../../../shared/environments/hosts/host-row.ts'
import { leaseSlot } from '../../../shared/environments/hosts/slot-lease.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'

const stack = { ESPALIER_CALL_HOST: 'call-host', ESPALIER_FLEETS: '{"env-host":{"slots":4,"max_hosts":2}}' }

const mayReach = (partition: string) =>
  hostPartitions.some((pattern) => matchesGlob(partition.replaceAll('/', ':'), pattern.replaceAll('/', ':')))

function recorded(own: Ledger): { ledger: Ledger; partitions: Set<string> } {
  const partitions = new Set<string>()
  const seen = (partition: string) => void partitions.add(partition)
  const ledger: Ledger = {
    get(key) {
      seen(key.partition)
      return own.get(key)
    },
    update(change) {
      seen(change.key.partition)
      return own.update(change)
    },
    transact(changes) {
      for (const { key } of changes) seen(key.partition)
      return own.transact(changes)
    },
    query(partition, options) {
      seen(partition)
      return own.query(partition, options)
    },
  }
  return { ledger, partitions }
}

describe('scale-hosts', () => {
  test('looks again while slots are waited for, until they are there', async () => {
    const { ledger: own, hosts } = await openHostWorld()
    const { ledger, partitions } = recorded(own)
    const events: string[] = []
    let sleeps = 0
    const clock: Clock = {
      now: () => Date.now(),
      sleep: async () => {
        sleeps += 1
        const slot = await leaseSlot(world, { image: 'env-host', holder: 'a test', duration: 60_000 })
        if (slot !== null) await withdrawDemand(world, demand)
      },
    }
    const world = { ledger, hosts, clock }
    const demand = { image: 'env-host', who: 'a test', slots: 1, duration: 60_000 }
    await askForSlots(world, demand)
    const { fleets } = readFleetSettings(stack, ['env-host'])
    const caller = new DirectHostCaller({ world, network: 'this-machine' })
    const options = { world, caller, fleets, log: ({ event }: { event: string }) => void events.push(event) }
    expect(await scaleHosts(options, () => 60_000)).toEqual({ running: 1, wanted: 1, failures: [] })
    expect(events).toEqual(Array.from({ length: sleeps + 1 }, () => 'fleet.scaled'))
    expect(sleeps).toBe(2)
    // The host goes, and its row with it.
    const idle = { 'env-host': { ...fleets['env-host'], idle: 0 } } as typeof fleets
    for (const { id } of await hosts.list()) await hosts.stop(id)
    for (let pass = 0; pass < 3; pass += 1) await scaleHosts({ ...options, fleets: idle }, () => 10_000)
    await new LaunchRecords(ledger, clock).open('token', 'env-host')
    await endScalerCall(world)
    expect([...partitions].filter((partition) => !mayReach(partition))).toEqual([])
    expect(partitions.size).toBeGreaterThan(4)
  })

  test('may reach the partitions of hosts in the ledger, and no other', () => {
    const keys = Object.values(hostKeys).map((key) => (typeof key === 'function' ? key('one', 'two') : key))
    for (const { partition } of keys) expect(mayReach(partition), partition).toBe(true)
    for (const partition of ['keys', 'run/run-1', 'run/run-1/episodes/03', 'tenant/acme/keys'])
      expect(mayReach(partition), partition).toBe(false)
  })

  test('ends in time, whether slots are waited for or not, and says what failed', async () => {
    const { ledger, hosts, clock } = await openHostWorld()
    const world = { ledger, hosts, clock }
    await askForSlots(world, { image: 'nowhere', who: 'a test', slots: 1, duration: 60_000 })
    const { fleets } = readFleetSettings({ ESPALIER_CALL_HOST: 'call-host' }, ['nowhere'])
    const caller = new DirectHostCaller({ world, network: 'this-machine' })
    const { failures } = await scaleHosts({ world, caller, fleets, log: () => undefined }, () => 10_000)
    expect(String(failures[0])).toContain('There is no image "nowhere"')
  })

  test('reads limits by image, and refuses what does not exist', () => {
    const { fleets } = readFleetSettings(stack, ['env-host', 'scienceworld'])
    expect(fleets['env-host']).toMatchObject({ slots: 4, max_hosts: 2, idle: 300 })
    expect(fleets.scienceworld).toMatchObject({ slots: 1000, max_hosts: 20 })
    expect(() => readFleetSettings(stack, [])).toThrow('env-host')
    expect(() => readFleetSettings({ ...stack, ESPALIER_FLEETS: '{' }, [])).toThrow('not JSON')
    expect(() => readFleetSettings({}, [])).toThrow('ESPALIER_CALL_HOST')
  })
})
