import { withEntry } from '../../format/with-entry.ts'

export interface ListOrder {
  sort: string
  order: 'asc' | 'desc'
}

export type SortValue = string | number | null

export const newestFirst: ListOrder = { sort: 'created', order: 'desc' }

// Entries of one request when a list is sorted: the most that the service gives at once.
export const sortedPage = 1000

export function readOrder(address: URLSearchParams, known: readonly string[]): ListOrder {
  const sort = known.find((id) => id === address.get('sort'))
  if (sort === undefined) return newestFirst
  return { sort, order: address.get('order') === 'desc' ? 'desc' : 'asc' }
}

export function writeOrder(address: URLSearchParams, order: ListOrder): URLSearchParams {
  const isUsual = isNewestFirst(order)
  const sorted = withEntry(address, 'sort', isUsual ? '' : order.sort)
  return withEntry(sorted, 'order', isUsual || order.order === 'asc' ? '' : 'desc')
}

export function isNewestFirst({ sort, order }: ListOrder): boolean {
  return sort === newestFirst.sort && order === newestFirst.order
}

// The order after a click on a heading: figures begin with the greatest, names with the first.
export function orderAfter(now: ListOrder, sort: string, isGreatestFirst: boolean): ListOrder {
  if (now.sort === sort) return { sort, order: now.order === 'asc' ? 'desc' : 'asc' }
  return { sort, order: isGreatestFirst ? 'desc' : 'asc' }
}

// Sorts stably. Entries without a value come last in both orders.
export function sortEntries<Entry>(
  entries: readonly Entry[],
  sortValue: (entry: Entry) => SortValue,
  order: ListOrder['order'],
): Entry[] {
  const sign = order === 'asc' ? 1 : -1
  return entries
    .map((entry) => ({ entry, value: sortValue(entry) }))
    .toSorted(({ value: left }, { value: right }) => {
      if (left === null || right === null) return Number(left === null) - Number(right === null)
      return sign * compareValues(left, right)
    })
    .map(({ entry }) => entry)
}

const collator = new Intl.Collator('en', { numeric: true })

function compareValues(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return collator.compare(String(left), String(right))
}
