import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { TranscriptHit } from '../../../shared/core/contracts/transcript-search.ts'
import cards from '../../components/cards.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { episodeAddress, runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './search-page.module.css'

export function HitCard({ hit }: { hit: TranscriptHit }) {
  const { environment, episode, finish_reason, method, node, outcome, reward, run, run_name, snippet, task } =
    hit
  return (
    <article className={cards.card} aria-label={`${describeKind(hit)} in ${episode}`}>
      <header className={styles.hitHead}>
        <Link to={episodeAddress(run, episode, node === null ? {} : { node })} className={styles.hitPlace}>
          <bdi>{showControls(task)}</bdi>
          {node !== null && `, node ${node}`}
        </Link>
        <span className={styles.hitKind}>{describeKind(hit)}</span>
        {finish_reason !== null && finish_reason !== 'stop' && (
          <span>
            ended by <bdi>{showControls(finish_reason)}</bdi>
          </span>
        )}
        <span className={styles.hitOutcome}>
          <StatusBadge status={episodeStatusWord(outcome)} />
          {reward !== null && <span>reward {formatNumber(reward)}</span>}
        </span>
      </header>
      <p dir="auto" className={styles.snippet}>
        {snippet.map(({ match, text }, at) =>
          match ? (
            // Parts of one text have no other name than their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            <mark key={at}>{showControls(text)}</mark>
          ) : (
            showControls(text)
          ),
        )}
      </p>
      <p className={styles.hitRun}>
        {episode} of{' '}
        <Link to={runAddress(run)}>
          <bdi>{showControls(run_name ?? run)}</bdi>
        </Link>
        , {method} in <bdi>{showControls(environment)}</bdi>
      </p>
    </article>
  )
}

function describeKind({ kind, role }: Pick<TranscriptHit, 'kind' | 'role'>): string {
  return role === null || role === 'policy' ? kind : `${kind} of ${role}`
}

type EpisodeHits = [first: TranscriptHit, ...others: TranscriptHit[]]

export function hitsByEpisode(hits: readonly TranscriptHit[]): EpisodeHits[] {
  const groups = new Map<string, EpisodeHits>()
  for (const hit of hits) {
    const place = `${hit.run}/${hit.episode}`
    const group = groups.get(place)
    if (group) group.push(hit)
    else groups.set(place, [hit])
  }
  return [...groups.values()]
}
