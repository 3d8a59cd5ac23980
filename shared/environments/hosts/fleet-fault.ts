import { clipText } from '../../core/contracts/well-formed.ts'
import type { World } from '../../core/world/ports.ts'
import { hostKeys } from './host-row.ts'

export interface FleetFault {
  /** Consecutive passes that saw hosts stop before they took a session. */
  count: number
  reason: string
  at: number
  /**
   * The start of a lack of capacity for hosts, or of an exhausted account quota, without a host that runs. Absent if
   * hosts were launched and stopped.
   */
  lacking_since?: number
}

const mostFaults = 3
const longestLack = 600_000
/** Milliseconds until the next launch after the first fault, doubled with each further one, and the most. */
const pauses = { first: 1000, most: 5000, mostLacking: 30_000 }

export async function noteFleetFault(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  image: string,
  reason: string,
  lackingSince?: number,
): Promise<void> {
  await ledger.update({
    key: hostKeys.fault(image),
    set: {
      reason: clipText(reason, 1000),
      at: clock.now(),
      ...(lackingSince !== undefined && { lacking_since: lackingSince }),
    },
    ...(lackingSince === undefined && { remove: ['lacking_since'] }),
    add: { count: 1 },
  })
}

export async function clearFleetFault({ ledger }: Pick<World, 'ledger'>, image: string): Promise<void> {
  await ledger.update({ key: hostKeys.fault(image), delete: true })
}

export async function readFleetFault(
  { ledger }: Pick<World, 'ledger'>,
  image: string,
): Promise<FleetFault | null> {
  return (await ledger.get(hostKeys.fault(image))) as FleetFault | null
}

export function launchesPause(fault: FleetFault | null, now: number): boolean {
  if (fault === null) return false
  const passed = now - fault.at
  // Noted in the future: the clock was set back since.
  const most = fault.lacking_since === undefined ? pauses.most : pauses.mostLacking
  return passed >= 0 && passed < Math.min(most, pauses.first * 2 ** (fault.count - 1))
}

/**
 * True if a caller should give up: hosts failed to start many times in a row, or there has long been no capacity for
 * any, and once more while it waited. So a caller that comes after the cause was repaired still sees one launch.
 * @param before the fault known when it began to wait
 */
export function isHopeless(fault: FleetFault | null, before: FleetFault | null): fault is FleetFault {
  if (fault === null || fault.count < mostFaults) return false
  if (fault.lacking_since !== undefined && fault.at - fault.lacking_since < longestLack) return false
  return before === null || fault.count !== before.count || fault.at !== before.at
}
