import { Link } from 'react-router'
import { SeriesMark } from '../../charts/series-mark.tsx'
import { runAddress } from '../../format/addresses.ts'
import styles from './compare.module.css'

/** A run's sign in the plots and its name, on at most two lines. The full name is in the tooltip. */
export function RunName({ index, name, run }: { index: number; name: string; run?: string }) {
  return (
    <span className={styles.runName}>
      <SeriesMark index={index} />
      <span dir="auto" title={name} className={styles.clamped}>
        {run === undefined ? name : <Link to={runAddress(run)}>{name}</Link>}
      </span>
    </span>
  )
}
