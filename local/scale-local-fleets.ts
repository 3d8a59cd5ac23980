import type { Log, LogEntry } from '../functions/api/log.ts'
import { scaleHosts } from '../functions/scale-hosts/scale-hosts.ts'
import type { HostCaller } from '../shared/core/contracts/host-call.ts'
import type { World } from '../shared/core/world/ports.ts'
import {
  type FleetLimits,
  fleetChangesOf,
  fleetLimitsSchema,
} from '../shared/environments/hosts/fleet-limits.ts'
import { images } from '../shared/environments/images.ts'

/**
 * Hosts of one image on this machine. Each serves its sessions in one thread, so a second host uses the second core.
 */
const mostHosts = 2

const fleets: Readonly<Record<string, FleetLimits>> = Object.fromEntries(
  images.map((image) => [
    image.id,
    fleetLimitsSchema.parse(
      fleetChangesOf(image, { max_hosts: mostHosts, idle: 60, lost_after: 20, ...image.here?.() }),
    ),
  ]),
)

export async function scaleLocalFleets({
  log,
  moreHosts = 0,
  ...parts
}: {
  world: Pick<World, 'ledger' | 'hosts' | 'clock'>
  caller: HostCaller
  log: Log
  moreHosts?: number
}): Promise<void> {
  const logChanges: Log = (entry) => {
    if (entry.level !== 'info' || hasChanged(entry)) log(entry)
  }
  // The log has any failure, and the next pass retries.
  const all = Object.entries(fleets).map(([image, limits]) => [
    image,
    { ...limits, max_hosts: limits.max_hosts + moreHosts },
  ])
  await scaleHosts({ ...parts, log: logChanges, fleets: Object.fromEntries(all) }, () => 0)
}

function hasChanged({ launched, stopped }: LogEntry): boolean {
  return [launched, stopped].some((hosts) => Array.isArray(hosts) && hosts.length > 0)
}
