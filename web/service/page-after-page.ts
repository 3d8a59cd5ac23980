import type { List } from '../../shared/core/contracts/list.ts'

/**
 * Query options for paged lists: each page starts after the last item of the previous one.
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
