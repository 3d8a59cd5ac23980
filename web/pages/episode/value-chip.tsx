import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { shareColour, type ValueRange, valueShare } from '../../tree/value-colour.ts'
import styles from './node-panel.module.css'

export function ValueChip({ value, range }: { value: number | null; range: ValueRange }) {
  const colour = value === null ? undefined : { background: shareColour(valueShare(range, value)) }
  return (
    <span className={styles.valueChip}>
      <span className={styles.valueColour} style={colour} aria-hidden />
      {value === null ? noNumber : formatNumber(value)}
    </span>
  )
}
