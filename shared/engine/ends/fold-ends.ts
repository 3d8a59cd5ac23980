import type { Ledger, LedgerItem, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { momentOf } from '../runs/run-clock.ts'
import type { RunStore } from '../runs/run-store.ts'
import { countEnds } from './count-ends.ts'
import type { EndRow } from './end-row.ts'

/**
 * Ends of one transaction at most, which may change a hundred items: each end is an item to delete, and beside them there are the
 * run, its events, which are one item, and the mark of an open run. And bytes of their events, for an item of at most 400 KiB.
 */
const mostAtOnce = { ends: 97, bytes: 200_000 }

/** Ends that are read at a time. */
const pageSize = 4 * mostAtOnce.ends

type StoredEnd = { sort: string; item: LedgerItem }

/**
 * Counts all ends that lie there when it is called, as many in a transaction as it holds. Each is counted once, whatever else counts at
 * the same time and whatever dies on the way: the counters, the events and the deletion of the ends change together or not at all,
 * and only where each of these ends was still there.
 *
 * @param mayGoOn - asked before each transaction
 * @returns how many it was this call that counted
 */
export async function foldEnds(
  { clock, ledger }: Pick<World, 'clock' | 'ledger'>,
  store: RunStore,
  run: string,
  mayGoOn: () => Promise<boolean> = async () => true,
): Promise<number> {
  let folded = 0
  for (;;) {
    const page = await readEnds(ledger, run, pageSize)
    let isAsRead = true
    for (const batch of batchesOf(page.items)) {
      if (!(await mayGoOn())) return folded
      const others = batch.map(({ sort }) => ({
        key: ledgerKeys.end(run, sort),
        delete: true as const,
        if: [{ is: 'present' as const }],
      }))
      const ends = batch.map(({ item }) => item as EndRow)
      const changed = await store.change(run, (row) => ({ ...countEnds(row, ends, momentOf(clock)), others }))
      isAsRead = changed !== null
      // Another process counted some of them: what is left is read anew.
      if (!isAsRead) break
      folded += batch.length
    }
    if (isAsRead && !page.more) return folded
  }
}

/** The ends of a run that are not counted, the oldest first. */
export function readEnds(ledger: Ledger, run: string, limit?: number): ReturnType<Ledger['query']> {
  return ledger.query(ledgerKeys.end(run, '').partition, limit === undefined ? {} : { limit })
}

function* batchesOf(ends: readonly StoredEnd[]): Generator<StoredEnd[]> {
  let batch: StoredEnd[] = []
  let bytes = 0
  for (const end of ends) {
    const size = Buffer.byteLength(JSON.stringify(end.item))
    if (batch.length === mostAtOnce.ends || (batch.length > 0 && bytes + size > mostAtOnce.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(end)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
