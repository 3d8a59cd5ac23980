import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Loaded } from '../../components/loaded.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { api } from '../../service/api.ts'
import { EpisodeTree } from '../episode/episode-tree.tsx'
import { isLive, liveInterval } from '../episode/is-live.ts'
import { useIsPaused } from '../episode/use-is-paused.ts'
import { episodeWord } from '../run/episodes/episode-word.ts'
import { EmbedHead } from './embed-head.tsx'

export function EmbeddedEpisode() {
  const { run = '', episode = '' } = useParams()
  const isPaused = useIsPaused(run)
  const found = useQuery({
    queryKey: ['episode', run, episode],
    queryFn: () => api.episode(run, episode),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) && !isPaused ? liveInterval : false),
  })
  return (
    <>
      <EmbedHead title={found.data?.task ?? episode}>
        {found.data && <StatusBadge status={episodeWord(found.data, isPaused)} />}
      </EmbedHead>
      <Loaded what="the episode" query={found}>
        {(data) => <EpisodeTree key={`${run}/${episode}`} episode={data} />}
      </Loaded>
    </>
  )
}
