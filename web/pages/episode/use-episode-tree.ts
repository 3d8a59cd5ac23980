import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { api } from '../../service/api.ts'
import { hasBegun, isLive, treeInterval } from './is-live.ts'
import { useIsPaused } from './use-episode.ts'

export function useEpisodeTree(episode: Episode) {
  const { id, run } = episode
  const isPaused = useIsPaused(run)
  const live = isLive(episode) && !isPaused
  const tree = useQuery({
    queryKey: ['tree', run, id],
    queryFn: () => api.tree(run, id),
    enabled: hasBegun(episode),
    refetchInterval: ({ state }) => live && treeInterval(state.data?.nodes.length ?? 0),
  })
  const growth = useQuery({
    queryKey: ['growth', run, id],
    queryFn: () => api.growth(run, id),
    enabled: tree.data !== undefined,
    refetchInterval: live && treeInterval(tree.data?.nodes.length ?? 0),
  })

  // The last read of a live page can be older than the episode's end.
  const wasLive = useRef(live)
  const { refetch: askTree } = tree
  const { refetch: askGrowth } = growth
  useEffect(() => {
    if (wasLive.current && !live) {
      void askTree()
      void askGrowth()
    }
    wasLive.current = live
  }, [live, askTree, askGrowth])

  return { tree, growth }
}
