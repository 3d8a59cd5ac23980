import type { HostCaller } from '../../shared/core/contracts/host-call.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { FleetLimits } from '../../shared/environments/hosts/fleet-limits.ts'
import { type FleetPass, scaleFleet } from '../../shared/environments/hosts/scale-fleet.ts'
import { errorFields, type Log } from '../api/log.ts'

const betweenPasses = 5000
const longestPass = 15_000

export interface ScaleHostsOptions {
  world: Pick<World, 'ledger' | 'hosts' | 'clock'>
  caller: HostCaller
  fleets: Readonly<Record<string, FleetLimits>>
  log: Log
}

export interface FleetTotals {
  running: number
  wanted: number
  failures: unknown[]
}

/**
 * Scales all fleets. While sessions wait for slots it repeats every few seconds, so that a new host is used as soon
 * as it has started.
 * @param timeLeft milliseconds until this must end
 */
export async function scaleHosts(options: ScaleHostsOptions, timeLeft: () => number): Promise<FleetTotals> {
  for (;;) {
    const fleets = Object.entries(options.fleets)
    const passes = await Promise.all(fleets.map(([image, limits]) => onePass(options, image, limits)))
    const isWaitedFor = passes.some(({ waiting, launched }) => waiting > 0 || launched.length > 0)
    if (isWaitedFor && timeLeft() > betweenPasses + longestPass) {
      await options.world.clock.sleep(betweenPasses)
      continue
    }
    return {
      running: passes.reduce((sum, { running }) => sum + running, 0),
      wanted: passes.reduce((sum, { wanted }) => sum + wanted, 0),
      failures: passes.flatMap((pass) => pass.failures),
    }
  }
}

async function onePass(
  { world, caller, log }: ScaleHostsOptions,
  image: string,
  limits: FleetLimits,
): Promise<FleetPass> {
  const pass = await scaleFleet(world, { image, limits, caller })
  const { failures, ...counts } = pass
  log({ level: 'info', event: 'fleet.scaled', image, ...counts })
  for (const failure of failures) {
    log({ level: 'error', event: 'fleet.failed', image, ...errorFields(failure) })
  }
  return pass
}
