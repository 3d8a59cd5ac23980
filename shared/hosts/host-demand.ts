import { pagesOf } from '../world/pages-of.ts'
import type { World } from '../world/ports.ts'
import { hostKeys } from './host-row.ts'

export interface SlotDemand {
  image: string
  /** Identifies who waits; unique. */
  who: string
  slots: number
  /** Milliseconds after which the request no longer counts, unless it is repeated. */
  duration: number
}

/** Requests slots of the fleet. A new request of the same caller replaces and prolongs the one before. */
export async function askForSlots(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  { image, who, slots, duration }: SlotDemand,
): Promise<void> {
  const expires_at = clock.now() + duration
  await ledger.update({ key: hostKeys.demand(image, who), set: { slots, expires_at }, expires_at })
}

/** Takes the request back: its slots were leased, or are no longer needed. */
export async function withdrawDemand(
  { ledger }: Pick<World, 'ledger'>,
  { image, who }: Pick<SlotDemand, 'image' | 'who'>,
): Promise<void> {
  await ledger.update({ key: hostKeys.demand(image, who), delete: true })
}

/** How many slots are waited for. */
export async function readDemand(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  image: string,
): Promise<number> {
  const now = clock.now()
  let waiting = 0
  for await (const items of pagesOf(ledger, hostKeys.demand(image, '').partition)) {
    for (const { item } of items) {
      // Expired items vanish, but not at once.
      const { slots, expires_at } = item as { slots: number; expires_at: number }
      if (expires_at > now) waiting += slots
    }
  }
  return waiting
}
