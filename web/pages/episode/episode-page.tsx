import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { answerWarnings } from '../../../shared/core/contracts/answer-warnings.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import { AnswerWarnings } from '../../components/answer-warnings.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { LastProblem } from '../../components/last-problem.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { askedAddress, episodeAddress, labelAddress, runAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import { useRun } from '../../service/use-run.ts'
import { EpisodeHead } from './episode-head.tsx'
import styles from './episode-page.module.css'
import { EpisodeTree } from './episode-tree.tsx'
import { isLive } from './is-live.ts'
import { useEpisode } from './use-episode.ts'

const most = 100

export function EpisodePage() {
  const { run = '', episode = '' } = useParams()
  const { found, isPaused } = useEpisode(run, episode)
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
            <EpisodeJudgements episode={data} />
            <EpisodeEnd episode={data} />
            <EpisodeAnswers episode={data} />
            <EpisodeTree key={`${run}/${episode}`} episode={data} />
          </>
        )}
      </Loaded>
    </>
  )
}

function EpisodeAnswers({ episode: { result, run } }: { episode: Episode }) {
  const { data } = useQuery(runQuery(run))
  const answers = result?.answers
  if (answers === undefined || data === undefined) return null
  return <AnswerWarnings warnings={answerWarnings(answers, data.request)} />
}

function RunOfEpisode({ run: id }: { run: string }) {
  const queryClient = useQueryClient()
  const run = useRun(id).data
  const isPaused = run?.status === 'paused'
  const counts = JSON.stringify(run?.episodes)

  // Steps in progress at the pause may still be committed.
  useEffect(() => {
    if (isPaused && counts !== undefined) void queryClient.invalidateQueries({ queryKey: ['episode', id] })
  }, [queryClient, id, isPaused, counts])

  if (!isPaused) return null
  return (
    <Notice isSpaced tone="warn">
      <p>
        Its <Link to={runAddress(id)}>run</Link> is paused: nothing happens here until that is resumed.
      </p>
    </Notice>
  )
}

function EpisodeJudgements({ episode: { id, run, purpose, result } }: { episode: Episode }) {
  const canBeJudged =
    purpose === 'play' && result !== null && !['errored', 'cancelled'].includes(result.status)
  const { data, error } = useQuery({
    queryKey: ['episode judgements', run, id],
    queryFn: () => api.judgements(run, { episode: id, limit: most }),
    enabled: canBeJudged,
  })
  if (!canBeJudged) return null
  return (
    <section className={styles.episodeJudgements} aria-label="Judgements">
      <h2>Judgements</h2>
      {error !== null && !data && <ErrorState error={error} />}
      {data?.data.length === 0 && <span>none</span>}
      {data && data.data.length > 0 && (
        <ul>
          {data.data.map((judgement) => (
            <JudgementItem key={judgement.id} judgement={judgement} />
          ))}
        </ul>
      )}
      {data?.has_more && <span>the first {most}</span>}
      <Link to={labelAddress(run, { episode: id })}>Judge it</Link>
    </section>
  )
}

function JudgementItem({
  judgement: { by, episode, error, name, node, note, run, value },
}: {
  judgement: EpisodeJudgement
}) {
  return (
    <li>
      <b>{name}</b> {value === null ? `failed: ${shortText(error ?? '', 120)}` : formatNumber(value)}{' '}
      {node !== null && (
        <>
          at <Link to={episodeAddress(run, episode, { node })}>node {node}</Link>{' '}
        </>
      )}
      by <bdi>{shortText(by.name, 80)}</bdi>
      {note !== null && <bdi> “{shortText(note, 200)}”</bdi>}
    </li>
  )
}

function EpisodeEnd({ episode }: { episode: Episode }) {
  const { task, purpose, result } = episode
  const { limit = null, error = null } = result ?? {}
  if (purpose === 'play' && limit === null && error === null) return null
  return (
    <div className={styles.episodeEnd} data-tone={error === null ? 'plain' : 'bad'}>
      {purpose === 'learn' && (
        <p>
          It plays no task: it comes before the others and learns for them. It has no reward, and is in no
          mean.
        </p>
      )}
      {purpose === 'annotate' && (
        <p>
          It plays no task: it asks a model about <Asked task={task} />, for a dataset. It has no reward, and
          is in no mean.
        </p>
      )}
      {limit !== null && (
        <p>
          Stopped by its limit <code>{shortText(limit, 120)}</code>.
          {result?.reward === null && ' It has no reward, and is not used for pairs.'}
        </p>
      )}
      {error !== null && (
        <>
          <p>
            <b>{shortText(error.name, 120)}</b>
            {error.effect !== null && (
              <>
                {' '}
                at <code>{shortText(error.effect, 200)}</code>
              </>
            )}
            . A failure of the service is no reward: the episode has none.
          </p>
          <ForeignText text={error.message} />
        </>
      )}
    </div>
  )
}

function Asked({ task }: { task: string }) {
  const address = askedAddress(task)
  const name = <bdi>{shortText(task, 120)}</bdi>
  return address === null ? name : <Link to={address}>{name}</Link>
}
