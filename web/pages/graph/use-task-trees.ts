import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { api } from '../../service/api.ts'
import type { MergedSource } from '../../tree/merge-trees.ts'
import { chooseEpisodes, type GraphChoice, outcomeOf } from './graph-choice.ts'

// The most that one request lists. The service matches every task that contains the text.
const limit = 1000

export interface TaskTrees {
  sources: readonly MergedSource[]
  awaited: number
  all: number
  chosen: number
  error: Error | null
  refetch: () => void
}

export function useTaskTrees({ runs, task }: Pick<GraphChoice, 'runs' | 'task'>): TaskTrees {
  const lists = useQueries({
    queries: runs.map((run) => ({
      queryKey: ['episodes', run, { task, limit }],
      queryFn: () => api.episodes(run, { task, limit }),
      enabled: task !== '',
    })),
    combine: (results) => ({
      byRun: results.map(({ data }) => data?.data ?? none),
      isPending: results.some(({ isPending, isLoading }) => isPending && isLoading),
      refused: results.filter(({ data, error }) => data === undefined && error !== null),
    }),
  })
  const { all, chosen } = useMemo(() => chooseEpisodes(lists.byRun, task), [lists.byRun, task])
  const trees = useQueries({
    queries: (lists.isPending ? [] : chosen).map(({ id, run }) => ({
      queryKey: ['tree', run, id],
      queryFn: () => api.tree(run, id),
      staleTime: 5 * 60_000,
    })),
    combine: (results) => ({
      read: results.map(({ data }) => data),
      refused: results.filter(({ data, error }) => data === undefined && error !== null),
    }),
  })
  const awaited = lists.isPending ? 1 : trees.read.filter((tree) => tree === undefined).length
  const refused = [...lists.refused, ...trees.refused]
  const sources = useMemo(
    () => (awaited > 0 ? [] : chosen.flatMap((episode, at) => toSource(episode, trees.read[at]))),
    [awaited, chosen, trees.read],
  )
  return {
    sources,
    awaited,
    all,
    chosen: chosen.length,
    error: refused[0]?.error ?? null,
    refetch: () => {
      for (const query of refused) void query.refetch()
    },
  }
}

const none: readonly Episode[] = []

function toSource(episode: Episode, tree: Tree | undefined): MergedSource[] {
  if (tree === undefined) return []
  return [{ run: episode.run, episode: episode.id, solved: outcomeOf(episode), tree }]
}
