import type { Log, LogEntry } from '../functions/api/log.ts'
import { scaleHosts } from '../functions/scale-hosts/scale-hosts.ts'
import { desktopsHere } from '../shared/environments/desktop/desktops-here.ts'
import { type FleetChanges, type FleetLimits, fleetLimitsOf } from '../shared/hosts/fleet-limits.ts'
import type { HostCaller } from '../shared/hosts/host-caller.ts'
import type { World } from '../shared/world/ports.ts'
import { hostImages } from './host-images.ts'

/** Hosts of one image on this machine: each serves its sessions in one thread, so a second one is for the second core. */
const mostHosts = 2

/** What a fleet of this machine has otherwise: a desktop is processes of its own, and two hosts would each take the memory that there is. */
const changes: Readonly<Record<string, FleetChanges>> = {
  desktop: { slots: desktopsHere(), max_hosts: 1 },
}

/** Fleets of child processes: small, and gone soon when they are not needed. */
const fleets: Readonly<Record<string, FleetLimits>> = Object.fromEntries(
  Object.keys(hostImages).map((image) => [
    image,
    fleetLimitsOf(image, { max_hosts: mostHosts, idle: 60, lost_after: 20, ...changes[image] }),
  ]),
)

/** One pass over all fleets of this machine. */
export async function scaleLocalFleets({
  log,
  ...parts
}: {
  world: Pick<World, 'ledger' | 'hosts' | 'clock'>
  caller: HostCaller
  log: Log
}): Promise<void> {
  const logChanges: Log = (entry) => {
    if (entry.level !== 'info' || hasChanged(entry)) log(entry)
  }
  // What could not be done is in the log; the next pass tries again.
  await scaleHosts({ ...parts, log: logChanges, fleets }, () => 0)
}

/** Twice a second is too often to log that nothing happened. */
function hasChanged({ launched, stopped }: LogEntry): boolean {
  return [launched, stopped].some((hosts) => Array.isArray(hosts) && hosts.length > 0)
}
