import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { episodeAddress, labelAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import styles from './episode-page.module.css'

const most = 100

export function EpisodeJudgements({ episode: { id, run, purpose, result } }: { episode: Episode }) {
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
