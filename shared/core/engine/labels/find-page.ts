import { type List, toList } from '../../contracts/list.ts'
import type { Ledger } from '../../world/ports.ts'
import { experimentsOf, type LabelledKind, membersOf } from './label-ledger.ts'

// Upper bound of items a filtered list reads per request, and per read.
const mostLooked = 1000
const atOnce = 50

export interface PageOptions<Item> {
  limit: number
  after?: string | undefined
  kind: LabelledKind
  tenant: string
  experiment?: string | undefined
  isFiltered: boolean
  read(id: string): Promise<Item | null>
  passes(item: Item): boolean
}

/**
 * A page of a tenant's items, newest first. It reads older ones until `limit` pass, but at most a thousand. At that
 * bound `has_more` is true however few passed, and `last_id` is the last item read, so that the next page continues
 * from there.
 */
export async function findPage<Item extends { id: string }>(
  ledger: Ledger,
  { after, experiment, isFiltered, kind, limit, passes, read, tenant }: PageOptions<Item>,
): Promise<List<Item>> {
  const partition = experiment === undefined ? `tenant/${tenant}/${kind}` : experimentsOf(tenant)
  const prefix = experiment === undefined ? '' : membersOf(kind, experiment)
  const found: Item[] = []
  let last = after
  for (let looked = 0; looked < mostLooked; ) {
    const page = await ledger.query(partition, {
      limit: Math.min(isFiltered ? atOnce : limit, mostLooked - looked),
      reverse: true,
      ...(prefix !== '' && { prefix }),
      ...(last !== undefined && { after: `${prefix}${last}` }),
    })
    const ids = page.items.map(({ sort }) => sort.slice(prefix.length))
    const items = await Promise.all(ids.map(read))
    for (const [at, item] of items.entries()) {
      last = ids[at]
      if (item === null || !passes(item)) continue
      found.push(item)
      if (found.length === limit) return toList(found, page.more || at < items.length - 1)
    }
    if (!page.more) return toList(found, false)
    looked += items.length
  }
  return { ...toList(found, true), last_id: last ?? null }
}
