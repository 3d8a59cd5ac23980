import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { messageOf } from '../../components/error-state.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { compareEpisodesAddress, episodeAddress, graphAddress, runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import styles from './compare.module.css'
import type { NamedRun } from './run-names.ts'

const most = 100

export function TaskItem({ task, sides }: { task: string; sides: readonly [NamedRun, NamedRun] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary dir="auto">{showControls(task)}</summary>
        {isOpen && <TaskSides task={task} sides={sides} />}
      </details>
    </li>
  )
}

function TaskSides({ task, sides: [run, baseline] }: { task: string; sides: readonly [NamedRun, NamedRun] }) {
  const own = useTaskEpisodes(run.run, task)
  const other = useTaskEpisodes(baseline.run, task)
  const pairs = (other.data ?? []).flatMap((left) => {
    const right = own.data?.find(({ epoch }) => epoch === left.epoch)
    return right === undefined ? [] : [{ epoch: left.epoch, left, right }]
  })
  return (
    <dl className={styles.taskSides}>
      {[
        { ...run, episodes: own },
        { ...baseline, episodes: other },
      ].map((side) => (
        <div key={side.run}>
          <dt dir="auto">
            <Link to={`${runAddress(side.run)}?task=${encodeURIComponent(task)}`}>{side.name}</Link>
          </dt>
          <dd>
            <TaskEpisodes run={side.run} episodes={side.episodes} />
          </dd>
        </div>
      ))}
      {pairs.length > 0 && (
        <div>
          <dt>Trajectories</dt>
          <dd>
            <Link to={graphAddress([baseline.run, run.run], task)}>Merged into one graph</Link>
          </dd>
          {pairs.map(({ epoch, left, right }) => (
            <dd key={epoch}>
              <Link
                to={compareEpisodesAddress({
                  left: { run: baseline.run, episode: left.id },
                  right: { run: run.run, episode: right.id },
                })}
              >
                Side by side{pairs.length > 1 && `, epoch ${epoch + 1}`}
              </Link>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

function useTaskEpisodes(run: string, task: string): UseQueryResult<Episode[]> {
  return useQuery({
    queryKey: ['episodes', run, { task, limit: most }],
    queryFn: () => api.episodes(run, { task, limit: most }),
    // The service matches every task that contains the text.
    select: ({ data }) => data.filter((episode) => episode.task === task && episode.purpose === 'play'),
  })
}

function TaskEpisodes({ run, episodes }: { run: string; episodes: UseQueryResult<Episode[]> }) {
  if (episodes.error !== null && !episodes.data) return <span role="alert">{messageOf(episodes.error)}</span>
  if (!episodes.data) return <span className={styles.soft}>loading …</span>
  return (
    <ul className={styles.episodes}>
      {episodes.data.map(({ id, status, result }) => (
        <li key={id}>
          <Link to={episodeAddress(run, id)}>{id}</Link>{' '}
          <StatusBadge status={episodeEndWord({ status, limit: result?.limit ?? null })} />{' '}
          <span className={styles.soft}>reward {formatNumber(result?.reward ?? null)}</span>
        </li>
      ))}
    </ul>
  )
}
