import type { Ledger, LedgerItem } from './ports.ts'

/** All items of a partition in the order of their sort keys, page by page. */
export async function* pagesOf(
  ledger: Ledger,
  partition: string,
  limit = 1000,
): AsyncGenerator<{ sort: string; item: LedgerItem }[]> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await ledger.query(partition, { limit, ...(after !== undefined && { after }) })
    yield page.items
    after = page.items.at(-1)?.sort
    more = page.more
  }
}
