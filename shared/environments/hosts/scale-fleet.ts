import { randomUUID } from 'node:crypto'
import type { HostCaller } from '../../core/contracts/host-call.ts'
import { NoCapacityError } from '../../core/world/no-capacity-error.ts'
import type { World } from '../../core/world/ports.ts'
import { clearFleetFault, launchesPause, noteFleetFault, readFleetFault } from './fleet-fault.ts'
import type { FleetLimits } from './fleet-limits.ts'
import { accessKeyVariable, hostAccessKey } from './host-access.ts'
import { readDemand } from './host-demand.ts'
import { HostRegistry } from './host-registry.ts'
import { type HostRow, hostKeys } from './host-row.ts'
import { type NeverReady, newHostRow, observeHosts } from './observe-hosts.ts'
import { type FleetHost, type FleetPlan, planFleet } from './plan-fleet.ts'
import { countKeptSlots } from './slot-lease.ts'

export interface ScaleFleetOptions {
  image: string
  limits: FleetLimits
  caller: HostCaller
}

export interface FleetPass {
  running: number
  wanted: number
  waiting: number
  sessions: number
  launched: string[]
  stopped: string[]
  failures: unknown[]
}

/**
 * One pass over the fleet of an image: checks its hosts, launches missing ones and stops unneeded ones. Safe to run
 * at any time, also concurrently: a counter names launches, and only one of two passes advances it, so both launch
 * the same hosts.
 */
export async function scaleFleet(
  world: Pick<World, 'ledger' | 'hosts' | 'clock'>,
  { image, limits, caller }: ScaleFleetOptions,
): Promise<FleetPass> {
  // Read before the hosts: a pass with an old number launches nothing new, and one with a new number sees the
  // launched hosts.
  const launches = await readLaunches(world, image)
  const { rows, failures, neverReady } = await observeHosts(world, caller, { image, slots: limits.slots })
  const waiting = await readDemand(world, image)
  const now = world.clock.now()
  const hosts = rows.map(toFleetHost)
  const found = planFleet(waiting, hosts, limits, now)
  const plan = found.launch === 0 ? found : await planWithoutSpares(world, { waiting, hosts, limits, found })
  const fault = await readFleetFault(world, image)
  const pauses = launchesPause(fault, now)
  const order = {
    image,
    slots: limits.slots,
    count: pauses ? 0 : plan.launch,
    launches,
    failures,
    neverReady,
  }
  // Spot machines refused only after a promise would be promised again.
  const launched = await launch(world, { ...order, onDemand: fault?.lacking_since !== undefined })
  for (const row of rows) {
    if (row.status !== 'starting' || !plan.stop.includes(row.id)) continue
    const reason = `It did not say that it is well within ${limits.lost_after} seconds.`
    neverReady.push({ reason, lacksCapacity: false })
  }
  const hasRunning = rows.some(({ status }) => status === 'running')
  const cause = neverReady.find(({ lacksCapacity }) => !lacksCapacity) ?? neverReady[0]
  if (cause !== undefined) {
    // A caller that waits for a slot of running hosts need not give up because no more hosts are available.
    const since = hasRunning ? now : (fault?.lacking_since ?? now)
    await noteFleetFault(world, image, cause.reason, cause.lacksCapacity ? since : undefined)
  } else if (fault !== null && hasRunning && !(fault.lacking_since !== undefined && pauses)) {
    await clearFleetFault(world, image)
  }
  const stopped: string[] = []
  for (const id of plan.stop) {
    const row = rows.find((one) => one.id === id)
    const isLost = row !== undefined && lastSign(row) <= now - limits.lost_after * 1000
    try {
      if (await stop(world, id, isLost)) stopped.push(id)
    } catch (error) {
      failures.push(error)
    }
  }
  return {
    running: rows.filter(({ status, draining }) => status === 'running' && !draining).length,
    wanted: plan.wanted,
    waiting,
    sessions: rows.reduce((sum, { sessions }) => sum + sessions, 0),
    launched,
    stopped,
    failures,
  }
}

async function planWithoutSpares(
  world: Pick<World, 'ledger' | 'clock'>,
  {
    waiting,
    hosts,
    limits,
    found,
  }: { waiting: number; hosts: readonly FleetHost[]; limits: FleetLimits; found: FleetPlan },
): Promise<FleetPlan> {
  const kept = await Promise.all(
    hosts.map(async (host) => ({
      ...host,
      sessions: Math.min(host.sessions, await countKeptSlots(world, host.id)),
    })),
  )
  const { launch, wanted } = planFleet(waiting, kept, limits, world.clock.now())
  return { ...found, launch, wanted }
}

interface Launches {
  fleet: string
  generation: number
}

async function readLaunches({ ledger }: Pick<World, 'ledger'>, image: string): Promise<Launches> {
  const first: Launches = { fleet: randomUUID().slice(0, 8), generation: 0 }
  const { item } = await ledger.update({
    key: hostKeys.fleet(image),
    set: { ...first },
    if: [{ is: 'absent' }],
  })
  return (item ?? first) as unknown as Launches
}

interface LaunchOrder {
  image: string
  slots: number
  count: number
  launches: Launches
  failures: unknown[]
  neverReady: NeverReady[]
  onDemand: boolean
}

async function launch(
  { ledger, hosts, clock }: Pick<World, 'ledger' | 'hosts' | 'clock'>,
  { image, slots, count, launches, failures, neverReady, onDemand }: LaunchOrder,
): Promise<string[]> {
  if (count === 0) return []
  const { fleet, generation } = launches
  const registry = new HostRegistry(ledger)
  const launched: string[] = []
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      try {
        const token = `${image}-${fleet}-${generation}-${index}`
        const accessKey = await hostAccessKey(ledger, image, token)
        const environment = { ESPALIER_HOST_SLOTS: String(slots), [accessKeyVariable]: accessKey }
        const request = { image, token, environment, ...(onDemand && { on_demand: true }) }
        const host = await hosts.launch(request)
        if (host.status === 'stopped') {
          const lacksCapacity = host.lacked_capacity === true
          neverReady.push({ reason: host.reason ?? 'It stopped at once.', lacksCapacity })
          throw new Error(`The host ${host.id} stopped at once: ${host.reason}`)
        }
        await registry.enter(newHostRow(host, slots, clock.now(), accessKey))
        launched.push(host.id)
      } catch (error) {
        if (error instanceof NoCapacityError) neverReady.push({ reason: error.message, lacksCapacity: true })
        failures.push(error)
      }
    }),
  )
  await ledger.update({
    key: hostKeys.fleet(image),
    add: { generation: 1 },
    if: [{ attribute: 'generation', is: 'equal', value: generation }],
  })
  return launched
}

async function stop(
  { ledger, hosts, clock }: Pick<World, 'ledger' | 'hosts' | 'clock'>,
  id: string,
  isLost: boolean,
): Promise<boolean> {
  const registry = new HostRegistry(ledger)
  if (isLost) await registry.giveUp(id)
  else if (!(await registry.close(id, randomUUID(), clock.now()))) return false
  await hosts.stop(id)
  return true
}

function toFleetHost(row: HostRow): FleetHost {
  const { id, status, draining, seen_at, slots, sessions, idle_since } = row
  const isLeaving = draining || status === 'leaving' || status === 'stopping'
  const state = isLeaving ? 'leaving' : seen_at === null ? 'starting' : 'ready'
  return { id, state, slots, sessions, seen_at: lastSign(row), idle_since }
}

function lastSign({ seen_at, launched_at }: HostRow): number {
  return seen_at ?? launched_at
}
