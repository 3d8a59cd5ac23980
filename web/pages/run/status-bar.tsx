import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { EpisodeCounts } from '../../../shared/core/contracts/run.ts'
import styles from './status-bar.module.css'

const parts: { name: keyof EpisodeCounts; word: string; means: string }[] = [
  { name: 'succeeded', word: episodeStatusWord('succeeded'), means: 'solved their task' },
  { name: 'failed', word: episodeStatusWord('failed'), means: 'did not solve their task' },
  { name: 'limited', word: episodeStatusWord('limited'), means: 'were stopped by one of their limits' },
  {
    name: 'errored',
    word: episodeStatusWord('errored'),
    means: 'were stopped by a fault, and have no reward',
  },
  { name: 'cancelled', word: episodeStatusWord('cancelled'), means: 'were ended with the run' },
  { name: 'active', word: 'queued/running', means: 'are queued for a worker or being played' },
  { name: 'waiting', word: 'waiting', means: 'have not begun' },
]

const held: (typeof parts)[number] = {
  name: 'active',
  word: 'held',
  means: 'stopped where they were, and continue from there',
}

export function StatusBar({ episodes, isPaused }: { episodes: EpisodeCounts; isPaused: boolean }) {
  const shown = parts
    .filter(({ name }) => episodes[name] > 0)
    .map((part) => (isPaused && part.name === held.name ? held : part))
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {shown.map(({ name }) => (
          <div key={name} className={styles[name]} style={{ flexGrow: episodes[name] }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {shown.map(({ name, word, means }) => (
          <li key={name} title={`Episodes that ${means}`}>
            <span className={`${styles.swatch} ${styles[name]}`} aria-hidden />
            {word} <b>{formatCount(episodes[name])}</b>{' '}
            <span className={styles.share}>{share(episodes[name], episodes.total)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function share(count: number, total: number): string {
  const percent = (count / total) * 100
  if (percent > 0 && percent < 1) return '<1 %'
  return percent > 99 && percent < 100 ? '>99 %' : `${Math.round(percent)} %`
}
