import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import { acquireLease, type Lease, releaseLease, renewLease } from '../../core/world/lease.ts'
import type { World } from '../../core/world/ports.ts'
import { HostRegistry } from './host-registry.ts'
import { type HostRow, hostKeys } from './host-row.ts'

/** Slots of one host to try before the next host: when so many are taken, it is nearly full. */
const mostTries = 16

export interface SlotLease {
  host: string
  /** The id under which the session is opened, so that a slot never holds two. */
  session: string
  /** Sent to the host with every call; it grows with every change of holder. */
  token: number
  lease: Lease
}

export interface SlotRequest {
  image: string
  holder: string
  duration: number
  host?: string
  except?: readonly string[]
  /**
   * For a session that its episode can do without: its slot returns as soon as another caller lacks room. Only on
   * hosts that have others, so that no host runs for it.
   */
  spare?: boolean
}

/** The suffix of holders whose slots are returned as soon as another caller lacks room. */
const spareMark = ' (spare)'

export async function countKeptSlots(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  host: string,
): Promise<number> {
  const holders = await new HostRegistry(ledger).holders(host, clock.now())
  return holders.filter((holder) => !String(holder).endsWith(spareMark)).length
}

/**
 * Leases a slot on a healthy host with a free one, the emptiest first; the fullest for a spare.
 * @returns null if there is none: request one with `askForSlots`, and retry
 */
export async function leaseSlot(
  world: Pick<World, 'ledger' | 'clock'>,
  request: SlotRequest,
): Promise<SlotLease | null> {
  const { image, duration, host, except = [], spare = false } = request
  const holder = spare ? `${request.holder}${spareMark}` : request.holder
  const { ledger, clock } = world
  const registry = new HostRegistry(ledger)
  const hosts = host === undefined ? await registry.list(image) : [await registry.get(host)]
  const open = hosts
    .filter((row) => row !== null)
    .filter((row) => takesSessions(row) && !except.includes(row.id))
    .toSorted((one, other) => (freeSlots(other) - freeSlots(one)) * (spare ? -1 : 1))
  for (const row of open) {
    const { id, slots } = row
    if (spare || (freeSlots(row) <= 0 && slots <= mostTries)) {
      // Waiting callers poll repeatedly: reading the holders costs a fraction of trying each slot.
      const holders = await registry.holders(id, clock.now())
      if (holders.length >= slots && !holders.includes(holder)) continue
      if (spare && holders.length === 0) continue
    }
    for (const slot of slotsToTry(slots, holder, id)) {
      const session = `slot-${slot}`
      const key = hostKeys.slot(id, session)
      const lease = await acquireLease(ledger, key, holder, { now: clock.now(), duration })
      if (lease === null) continue
      const taken = { host: id, session, token: lease.token, lease }
      // The fleet marks a host before it reads the leases: either it sees this lease, or this caller sees the mark.
      const now = await registry.get(id)
      if (now !== null && takesSessions(now)) return taken
      await releaseSlot(world, taken)
      break
    }
  }
  return null
}

export async function renewSlot(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  slot: SlotLease,
  duration: number,
): Promise<SlotLease | null> {
  const lease = await renewLease(ledger, slot.lease, { now: clock.now(), duration })
  return lease && { ...slot, lease }
}

export function releaseSlot({ ledger }: Pick<World, 'ledger'>, { lease }: SlotLease): Promise<void> {
  return releaseLease(ledger, lease)
}

function takesSessions({ status, draining, seen_at }: HostRow): boolean {
  return status === 'running' && !draining && seen_at !== null
}

function freeSlots({ slots, sessions }: HostRow): number {
  return slots - sessions
}

/** A fixed order for each holder, so that a retry after a lost answer finds its own slot. */
function slotsToTry(slots: number, holder: string, host: string): number[] {
  const random = seededRandom('slot', holder, host)
  if (slots <= mostTries)
    return shuffled(
      Array.from({ length: slots }, (_, slot) => slot),
      random,
    )
  return Array.from({ length: mostTries }, () => Math.floor(random() * slots))
}
