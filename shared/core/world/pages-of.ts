import type { Ledger, LedgerItem, OnDamagedItem } from './ports.ts'

export async function* pagesOf(
  ledger: Ledger,
  partition: string,
  limit = 1000,
  prefix?: string,
  onDamaged?: OnDamagedItem,
): AsyncGenerator<{ sort: string; item: LedgerItem }[]> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await ledger.query(partition, {
      limit,
      ...(prefix !== undefined && { prefix }),
      ...(after !== undefined && { after }),
      ...(onDamaged !== undefined && { onDamaged }),
    })
    yield page.items
    after = page.items.at(-1)?.sort
    more = page.more
  }
}
