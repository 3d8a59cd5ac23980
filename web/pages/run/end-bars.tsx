import { Link } from 'react-router'
import { endWords } from '../../../shared/core/client/end-words.ts'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EndReason } from '../../../shared/core/contracts/end-reason.ts'
import type { RunShape } from '../../../shared/core/contracts/run-shape.ts'
import styles from './end-bars.module.css'

const tones: Partial<Record<EndReason, string>> = {
  solved: 'good',
  error: 'bad',
  cancelled: 'quiet',
}

export function EndBars({ ends }: { ends: RunShape['ends'] }) {
  const most = ends.reduce((high, { episodes }) => Math.max(high, episodes), 1)
  const all = ends.toSorted((left, right) => right.episodes - left.episodes)
  return (
    <ul className={styles.ends}>
      {all.map(({ episodes, reason }) => (
        <li key={reason}>
          <Link to={{ search: `?reason=${reason}`, hash: '#episodes' }} className={styles.end}>
            <span className={styles.word}>{endWords[reason]}</span>
            <span className={styles.lane} aria-hidden>
              <span
                className={styles.bar}
                data-tone={tones[reason] ?? 'other'}
                style={{ width: `${(100 * episodes) / most}%` }}
              />
            </span>
            <span className="number">{formatCount(episodes)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
