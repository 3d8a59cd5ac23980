import type { Estimate } from '../../../shared/core/contracts/report.ts'
import styles from './runs-page.module.css'

/**
 * A success rate with its interval on a line from 0 to 1, to compare rows at a glance. It is hidden from screen
 * readers, because the numbers stand above it.
 */
export function RateBar({ of: { ci, mean } }: { of: Estimate }) {
  if (mean === null) return null
  const at = (share: number) => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`
  return (
    <svg className={styles.rateBar} aria-hidden="true">
      <line className={styles.rateAxis} x1="0" x2="100%" y1="50%" y2="50%" />
      {ci && <line className={styles.rateInterval} x1={at(ci.lower)} x2={at(ci.upper)} y1="50%" y2="50%" />}
      <circle className={styles.rateMean} cx={at(mean)} cy="50%" r="3.5" />
    </svg>
  )
}
