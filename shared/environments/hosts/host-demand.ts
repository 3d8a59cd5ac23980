import { pagesOf } from '../../core/world/pages-of.ts'
import type { World } from '../../core/world/ports.ts'
import { hostKeys } from './host-row.ts'

const clockSkew = 5000

export interface SlotDemand {
  image: string
  who: string
  slots: number
  duration: number
}

export async function askForSlots(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  { image, who, slots, duration }: SlotDemand,
): Promise<void> {
  const asked_at = clock.now()
  const expires_at = asked_at + duration
  await ledger.update({ key: hostKeys.demand(image, who), set: { slots, asked_at, expires_at }, expires_at })
}

export async function withdrawDemand(
  { ledger }: Pick<World, 'ledger'>,
  { image, who }: Pick<SlotDemand, 'image' | 'who'>,
): Promise<void> {
  await ledger.update({ key: hostKeys.demand(image, who), delete: true })
}

export async function readDemand(
  { ledger, clock }: Pick<World, 'ledger' | 'clock'>,
  image: string,
): Promise<number> {
  const now = clock.now()
  let waiting = 0
  for await (const items of pagesOf(ledger, hostKeys.demand(image, '').partition)) {
    for (const { item } of items) {
      const { slots, asked_at, expires_at } = item as { slots: number; asked_at?: number; expires_at: number }
      // Expired items vanish, but not immediately. A caller from before the clock was set back repeats its request
      // soon.
      if (expires_at > now && (asked_at ?? now) <= now + clockSkew) waiting += slots
    }
  }
  return waiting
}
