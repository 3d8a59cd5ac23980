import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../../shared/core/client/status-words.ts'
import { Button } from '../../components/button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { EpisodePlace } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import styles from './compare-episodes.module.css'

const most = 50

export function FoundEpisodes({
  run,
  task,
  onChoose,
}: {
  run: string
  task: string
  onChoose: (place: EpisodePlace) => void
}) {
  const query = { limit: most, ...(task !== '' && { task }) }
  const found = useQuery({
    queryKey: ['episodes', run, query],
    queryFn: () => api.episodes(run, query),
    placeholderData: keepPreviousData,
  })
  if (found.error !== null && !found.data) return <ErrorState error={found.error} />
  const episodes = found.data?.data.filter(({ purpose }) => purpose === 'play') ?? []
  return (
    <div className={styles.foundEpisodes}>
      <ul>
        {episodes.map(({ id, epoch, status, result, task: played }) => (
          <li key={id}>
            <span>
              <bdi>{shortText(played, 120)}</bdi>{' '}
              <span className="soft">
                {id}
                {epoch > 0 && `, epoch ${epoch + 1}`}{' '}
                <StatusBadge status={episodeEndWord({ status, limit: result?.limit ?? null })} /> reward{' '}
                {formatNumber(result?.reward ?? null)}
              </span>
            </span>
            <Button aria-label={`Choose ${id}`} onClick={() => onChoose({ run, episode: id })}>
              Choose
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className={episodes.length > 0 ? 'visually-hidden' : 'soft'}>
        {found.data === undefined
          ? 'Searching …'
          : episodes.length > 0
            ? `${countOf(episodes.length, 'episode')} found`
            : 'No episode of this run has such a task.'}
      </p>
    </div>
  )
}
