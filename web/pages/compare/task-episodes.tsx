import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { messageOf } from '../../components/error-state.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import styles from './compare.module.css'

const most = 100

export function useTaskEpisodes(run: string, task: string): UseQueryResult<Episode[]> {
  return useQuery({
    queryKey: ['episodes', run, { task, limit: most }],
    queryFn: () => api.episodes(run, { task, limit: most }),
    // The service matches every task that contains the text.
    select: ({ data }) => data.filter((episode) => episode.task === task && episode.purpose === 'play'),
  })
}

export function TaskEpisodes({ run, episodes }: { run: string; episodes: UseQueryResult<Episode[]> }) {
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
