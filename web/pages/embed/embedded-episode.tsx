import { useParams } from 'react-router'
import { Loaded } from '../../components/loaded.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { EpisodeTree } from '../episode/episode-tree.tsx'
import { useEpisode } from '../episode/use-episode.ts'
import { episodeWord } from '../run/episodes/episode-word.ts'
import { EmbedHead } from './embed-head.tsx'

export function EmbeddedEpisode() {
  const { run = '', episode = '' } = useParams()
  const { found, isPaused } = useEpisode(run, episode)
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
