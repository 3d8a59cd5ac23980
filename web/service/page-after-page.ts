import type { List } from '../../shared/contracts/list.ts'

/** How lists of the API are read on: each page begins behind the last item of the one before. */
export const pageAfterPage = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ has_more, last_id }: List<unknown>): string | null => (has_more ? last_id : null),
}
