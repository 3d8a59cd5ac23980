import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import { api } from '../../service/api.ts'

/** The API's maximum page size, and the maximum length of a queue. */
const [pageSize, mostEpisodes] = [1000, 2000]

const pollMilliseconds = 10_000

export interface RunEpisodes {
  episodes: Episode[]
  hasMore: boolean
}

export function useRunEpisodes(run: string, isGoingOn: boolean): UseQueryResult<RunEpisodes> {
  return useQuery({
    queryKey: ['episodes', run, 'to judge'],
    queryFn: async () => {
      const read = await readAll((from) => api.episodes(run, { limit: pageSize, ...from }), mostEpisodes)
      return { episodes: read.items, hasMore: read.hasMore }
    },
    refetchInterval: isGoingOn && pollMilliseconds,
  })
}

export function useJudgements(
  run: string,
  name: string,
  isEnabled: boolean,
): UseQueryResult<EpisodeJudgement[]> {
  return useQuery({
    queryKey: keyOf(run, name),
    queryFn: async () =>
      (await readAll((from) => api.judgements(run, { name, kind: 'person', limit: pageSize, ...from })))
        .items,
    enabled: isEnabled,
  })
}

export function useChangeJudgements(run: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (
      { id, name, episode }: Pick<EpisodeJudgement, 'id' | 'name' | 'episode'>,
      now: EpisodeJudgement | null,
    ) => {
      queryClient.setQueryData<EpisodeJudgement[]>(keyOf(run, name), (before) =>
        before === undefined
          ? before
          : [...before.filter((other) => other.id !== id), ...(now === null ? [] : [now])],
      )
      void queryClient.invalidateQueries({ queryKey: ['episode judgements', run, episode] })
      // Refetch these only when they are next shown: both read every judgement of the run.
      for (const what of ['scores', 'report'])
        void queryClient.invalidateQueries({ queryKey: [what, run], refetchType: 'none' })
    },
    [queryClient, run],
  )
}

function keyOf(run: string, name: string): string[] {
  return ['judgements', run, name]
}

async function readAll<Item>(
  read: (from: { after?: string }) => Promise<List<Item>>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const items: Item[] = []
  for (let after: string | null = null; ; ) {
    const page: List<Item> = await read(after === null ? {} : { after })
    items.push(...page.data)
    after = page.last_id
    if (!page.has_more || after === null) return { items, hasMore: false }
    if (items.length >= most) return { items, hasMore: true }
  }
}
