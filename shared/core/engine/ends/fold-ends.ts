import type { Ledger, LedgerItem, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { momentOf } from '../runs/run-clock.ts'
import type { RunStore } from '../runs/run-store.ts'
import { countEnds } from './count-ends.ts'
import type { EndRow } from './end-row.ts'

/**
 * The upper bounds of one transaction, which may change a hundred items: one deletion per end, and beside them the
 * run, its events (one item) and the mark of an open run. `bytes` bounds the events, for an item of at most 400 KiB.
 */
const mostAtOnce = { ends: 97, bytes: 200_000 }

const pageSize = 4 * mostAtOnce.ends

type StoredEnd = { sort: string; item: LedgerItem }

/**
 * Counts all ends stored when it is called, in as few transactions as possible. Each is counted once, despite
 * concurrent counters and crashes: the counters, the events and the deletion of the ends change together or not at
 * all, and only if each of these ends still exists.
 * @param mayGoOn - called before each transaction
 * @returns the number of ends this call counted
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
      // Another process counted some of them: read the remaining ones again.
      if (!isAsRead) break
      folded += batch.length
    }
    if (isAsRead && !page.more) return folded
  }
}

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
