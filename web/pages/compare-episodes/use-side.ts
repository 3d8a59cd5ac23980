import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import type { EpisodePlace } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import { indexTree } from '../../tree/index-tree.ts'
import { type PathTurn, pathTurns } from '../../tree/path-turns.ts'
import { hasBegun, isLive, liveInterval, treeInterval } from '../episode/is-live.ts'

export interface Side {
  place: EpisodePlace
  run: UseQueryResult<Run>
  episode: UseQueryResult<Episode>
  /** Not loaded if the episode has no tree yet or plays no task. */
  tree: UseQueryResult<Tree>
  turns: PathTurn[] | undefined
}

export function useSide(place: EpisodePlace | null): Side | null {
  const run = useQuery(
    place === null ? { queryKey: ['run', null], queryFn: skipToken } : runQuery(place.run),
  ) as UseQueryResult<Run>
  const episode = useQuery({
    queryKey: ['episode', place?.run, place?.episode],
    queryFn: place === null ? skipToken : () => api.episode(place.run, place.episode),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) ? liveInterval : false),
  })
  const { data } = episode
  const tree = useQuery({
    queryKey: ['tree', place?.run, place?.episode],
    queryFn: place === null ? skipToken : () => api.tree(place.run, place.episode),
    enabled: data !== undefined && hasBegun(data),
    refetchInterval: ({ state }) =>
      data !== undefined && isLive(data) && treeInterval(state.data?.nodes.length ?? 0),
  })
  const turns = useMemo(() => tree.data && pathTurns(indexTree(tree.data), tree.data.best), [tree.data])
  return place === null ? null : { place, run, episode, tree, turns }
}
