import { describe, expect, test } from 'vitest'
import { readFleetSettings } from '../../../functions/scale-hosts/fleet-settings.ts'
import { scaleHosts } from '../../../functions/scale-hosts/scale-hosts.ts'
import type { Clock } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { askForSlots, withdrawDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { leaseSlot } from '../../../shared/environments/hosts/slot-lease.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'

const stack = { ESPALIER_CALL_HOST: 'call-host', ESPALIER_FLEETS: '{"env-host":{"slots":4,"max_hosts":2}}' }

describe('scale-hosts', () => {
  test('looks again while slots are waited for, until they are there', async () => {
    const { ledger, hosts } = await openHostWorld()
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
