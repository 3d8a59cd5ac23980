import type { RunEvent } from '../../contracts/run-event.ts'
import type { Ledger, LedgerChange, LedgerItem } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'

/**
 * Stores the events of one transaction as one item, to leave room in the transaction for the ends that they announce.
 * Its key is the number of its last event: the first item after a number has the first event after it. A single event
 * is an item as earlier versions wrote all of them.
 */
export function toEventItem(run: string, events: readonly RunEvent[]): LedgerChange[] {
  const last = events.at(-1)
  if (last === undefined) return []
  const item = events.length === 1 ? last : { events }
  return [{ key: ledgerKeys.event(run, last.sequence), set: item as unknown as LedgerItem }]
}

export async function readEvents(
  ledger: Ledger,
  run: string,
  { after, limit }: { after: number; limit: number },
): Promise<RunEvent[]> {
  const { partition, sort } = ledgerKeys.event(run, after)
  const { items } = await ledger.query(partition, { after: sort, limit })
  const events = items.flatMap(
    ({ item }) => ('events' in item ? item.events : [item]) as unknown as RunEvent[],
  )
  return events.filter(({ sequence }) => sequence > after).slice(0, limit)
}
