import type { Ledger, LedgerItem } from './ports.ts'

/**
 * All items of a partition in the order of their sort keys, page by page. @param prefix - only those whose `sort`
 * begins with it
 */
export async function* pagesOf(
  ledger: Ledger,
  partition: string,
  limit = 1000,
  prefix?: string,
): AsyncGenerator<{ sort: string; item: LedgerItem }[]> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await ledger.query(partition, {
      limit,
      ...(prefix !== undefined && { prefix }),
      ...(after !== undefined && { after }),
    })
    yield page.items
    after = page.items.at(-1)?.sort
    more = page.more
  }
}
