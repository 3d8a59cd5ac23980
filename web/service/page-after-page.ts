import type { List } from '../../shared/contracts/list.ts'

/**
 * How lists of the API are read on: each page begins behind the last item of the one before.
 *
 * @example
 * useInfiniteQuery({ queryKey: ['runs'], ...pageAfterPage((from) => api.runs({ limit: 25, ...from })) })
 */
export function pageAfterPage<Item>(read: (from: { after?: string }) => Promise<List<Item>>) {
  return {
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      read(pageParam === null ? {} : { after: pageParam }),
    getNextPageParam: ({ has_more, last_id }: List<Item>): string | null => (has_more ? last_id : null),
  }
}
