import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { answerWarnings } from '../../../shared/contracts/answer-warnings.ts'
import type { Episode } from '../../../shared/contracts/episode.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { LastProblem } from '../../components/last-problem.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { runAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import { EpisodeEnd } from './episode-end.tsx'
import { EpisodeHead } from './episode-head.tsx'
import { EpisodeTree } from './episode-tree.tsx'
import { isLive, liveInterval } from './is-live.ts'
import { RunOfEpisode } from './run-of-episode.tsx'
import { useIsPaused } from './use-is-paused.ts'

/** One episode: what it came to, and its tree. It follows the episode while it is being played, and waits while its run is paused. */
export function EpisodePage() {
  const { run = '', episode = '' } = useParams()
  const isPaused = useIsPaused(run)
  const found = useQuery({
    queryKey: ['episode', run, episode],
    queryFn: () => api.episode(run, episode),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) && !isPaused ? liveInterval : false),
  })
  return (
    <>
      {found.data === undefined && (
        <PageHeader
          title={episode}
          tab={episode}
          way={[
            { to: '/runs', name: 'Runs' },
            { to: runAddress(run), name: run },
          ]}
        />
      )}
      <Loaded what="the episode" query={found}>
        {(data) => (
          <>
            <EpisodeHead episode={data} />
            {isLive(data) && <RunOfEpisode run={run} />}
            {data.last_problem && !isPaused && <LastProblem problem={data.last_problem} />}
            <EpisodeEnd episode={data} />
            <EpisodeAnswers episode={data} />
            <EpisodeTree key={`${run}/${episode}`} episode={data} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** What to know about the answers of an episode that has ended, by what its run asked for. */
function EpisodeAnswers({ episode: { result, run } }: { episode: Episode }) {
  const { data } = useQuery(runQuery(run))
  const answers = result?.answers
  if (answers === undefined || data === undefined) return null
  return <AnswerWarnings warnings={answerWarnings(answers, data.request)} />
}
