import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type List, type ListQuery, toList } from '../../shared/core/contracts/list.ts'

/**
 * Returns one page of a list held in memory.
 * @throws EspalierError `invalid_request` when no item has the id `after`
 */
export function pageOf<Item extends { id: string }>(items: readonly Item[], query: ListQuery): List<Item> {
  const { after, limit } = query
  const last = after === undefined ? -1 : items.findIndex(({ id }) => id === after)
  if (after !== undefined && last === -1) {
    throw new EspalierError(
      'invalid_request',
      `No item of this list has the id "${after}". Give the last_id of the page before, or leave "after" out.`,
      { param: 'after' },
    )
  }
  const start = last + 1
  return toList(items.slice(start, start + limit), start + limit < items.length)
}
