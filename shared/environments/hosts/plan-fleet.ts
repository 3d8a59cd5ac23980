import type { FleetLimits } from './fleet-limits.ts'

export interface FleetHost {
  id: string
  state: 'starting' | 'ready' | 'leaving'
  slots: number
  sessions: number
  seen_at: number
  idle_since: number | null
}

export interface FleetPlan {
  launch: number
  stop: string[]
  /** The number of hosts without limits, so that a cap shows. */
  wanted: number
}

/**
 * Plans the fleet so that every waiting caller gets a slot, no lease is lost, and no host runs without need. Callers
 * get the free slots of running and starting hosts first; the remaining ones need launches, within the limits. A host
 * without sessions is stopped if it was idle for long enough and the others have room for all waiting callers.
 * @param waiting slots that callers wait for
 */
export function planFleet(
  waiting: number,
  hosts: readonly FleetHost[],
  limits: FleetLimits,
  now: number,
): FleetPlan {
  const lost = hosts.filter(({ seen_at }) => seen_at <= now - limits.lost_after * 1000)
  const alive = hosts.filter((host) => !lost.includes(host))
  const left = alive.filter(({ state, sessions }) => state === 'leaving' && sessions === 0)
  const usable = alive.filter(({ state }) => state !== 'leaving')
  let free = usable.reduce((sum, host) => sum + freeSlots(host), 0)
  const missing = Math.ceil(Math.max(0, waiting - free) / limits.slots)
  const launch = Math.max(0, Math.min(missing, limits.burst, limits.max_hosts - hosts.length))

  const idleBefore = now - limits.idle * 1000
  const surplus: string[] = []
  const idle = usable
    .filter(({ state, sessions, idle_since }) => state === 'ready' && sessions === 0 && idle_since !== null)
    .filter(({ idle_since }) => (idle_since ?? now) <= idleBefore)
    .toSorted((one, other) => (one.idle_since ?? now) - (other.idle_since ?? now))
  for (const host of idle) {
    if (free - host.slots < waiting) continue
    free -= host.slots
    surplus.push(host.id)
  }
  return {
    launch,
    stop: [...lost, ...left].map(({ id }) => id).concat(surplus),
    wanted: usable.length - surplus.length + missing,
  }
}

function freeSlots({ slots, sessions }: FleetHost): number {
  return Math.max(0, slots - sessions)
}
