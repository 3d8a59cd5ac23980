import { useState } from 'react'

interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

// Entries of a sorted list that are shown at first, and by each request for more.
const part = 50

// Shows a sorted list in parts, because it is read in far larger ones.
export function useShownPart(loaded: number, query: PagedQuery): { shown: number; more: PagedQuery } {
  const [shown, setShown] = useState(part)
  const more = {
    hasNextPage: loaded > shown || query.hasNextPage,
    isFetchingNextPage: query.isFetchingNextPage,
    fetchNextPage: async () => {
      setShown(shown + part)
      if (loaded <= shown) await query.fetchNextPage()
    },
  }
  return { shown, more }
}
