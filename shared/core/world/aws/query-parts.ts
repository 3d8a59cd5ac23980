import type { LedgerPage, LedgerQuery } from './query-ledger.ts'

const defaultLimit = 1000

const spare = 8

type Items = LedgerPage['items']

interface Part {
  partition: string
  items: Items
  more: boolean
}

/**
 * Reads a partition spread over several keys: from all of them concurrently, first each one's share of the page, then
 * on until no part can hold an item before the page's end.
 * @param read - reads one part
 */
export async function queryParts(
  read: (partition: string, query: LedgerQuery) => Promise<LedgerPage>,
  partitions: readonly string[],
  query: LedgerQuery,
): Promise<LedgerPage> {
  const { limit = defaultLimit, reverse = false } = query
  const share = Math.ceil(limit / partitions.length) + spare
  const direction = reverse ? -1 : 1
  const compare = (left: string, right: string) =>
    direction * Buffer.compare(Buffer.from(left), Buffer.from(right))
  const readOn = async ({ partition, items }: Part): Promise<Part> => {
    const after = items.at(-1)?.sort ?? query.after
    const page = await read(partition, { ...query, limit: share, ...(after !== undefined && { after }) })
    return { partition, items: [...items, ...page.items], more: page.more }
  }
  let parts: Part[] = partitions.map((partition) => ({ partition, items: [], more: true }))
  for (;;) {
    parts = await Promise.all(parts.map((part) => (part.more ? readOn(part) : part)))
    const ends = parts.filter(({ more }) => more).map(({ items }) => items.at(-1)?.sort ?? '')
    const [first] = ends.toSorted(compare)
    const items = parts
      .flatMap((part) => part.items)
      .filter(({ sort }) => first === undefined || compare(sort, first) <= 0)
      .toSorted((left, right) => compare(left.sort, right.sort))
    if (first === undefined || items.length > limit)
      return { items: items.slice(0, limit), more: items.length > limit }
  }
}
