import { Link } from 'react-router'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import styles from './episode-page.module.css'

export function EpisodeEnd({ episode }: { episode: Episode }) {
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

export function askedAddress(task: string): string | null {
  const [, run, episode] = /^(run-[^/]+)\/(ep-\d+)$/.exec(task) ?? []
  return run === undefined || episode === undefined ? null : episodeAddress(run, episode)
}
