import type { Leaderboard, LeaderboardEntry } from '../../../shared/core/contracts/leaderboard.ts'
import { SeriesMark } from '../../charts/series-mark.tsx'
import { showControls } from '../../format/show-controls.ts'
import styles from './leaderboard.module.css'

export function EntryName({ index, entry }: { index: number; entry: LeaderboardEntry }) {
  return (
    <span className={styles.entry}>
      <SeriesMark index={index} />
      <span dir="auto">
        {showControls(entry.label)}
        <span className={styles.soft}>{showControls(entry.model)}</span>
      </span>
    </span>
  )
}

export function nameOfEntry({ entries }: Leaderboard, id: string): string {
  const entry = entries.find((each) => each.id === id)
  if (entry === undefined) return id
  const isTwin = entries.filter(({ label }) => label === entry.label).length > 1
  return showControls(isTwin ? `${entry.label} with ${entry.model}` : entry.label)
}
