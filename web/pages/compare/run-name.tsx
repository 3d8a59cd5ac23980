import { Link } from 'react-router'
import { SeriesMark } from '../../charts/series-mark.tsx'
import { runAddress } from '../../format/addresses.ts'
import styles from './compare.module.css'

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
