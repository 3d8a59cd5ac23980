import type { Estimate } from '../../shared/core/contracts/report.ts'
import styles from './interval-plot.module.css'
import type { Domain } from './plot-domain.ts'
import { seriesStyle } from './series-style.ts'

/**
 * The dot and interval of one row. A dot without an interval is hollow. An interval beyond the axis has no end mark
 * there.
 *
 * @param at - maps a number to a position from 0 to 100, clamped to the axis
 */
export function IntervalMark({
  estimate: { mean, ci },
  domain: [low, high],
  at,
  series,
}: {
  estimate: Estimate
  domain: Domain
  at: (value: number) => number
  series: number
}) {
  if (mean === null) {
    return (
      <text className={styles.missing} x="50%" y="50%" textAnchor="middle" dominantBaseline="central">
        no number yet
      </text>
    )
  }
  const ends = ci === null ? [] : [ci.lower, ci.upper].filter((end) => end >= low && end <= high)
  return (
    <g style={{ color: seriesStyle(series).colour }}>
      {ci && (
        <line className={styles.whisker} x1={`${at(ci.lower)}%`} x2={`${at(ci.upper)}%`} y1="50%" y2="50%" />
      )}
      {[...new Set(ends)].map((end) => (
        <svg key={end} x={`${at(end)}%`} y="50%" className={styles.drawing} aria-hidden="true">
          <line className={styles.whisker} x1="0" x2="0" y1="-5" y2="5" />
        </svg>
      ))}
      <circle className={ci === null ? styles.hollow : styles.dot} cx={`${at(mean)}%`} cy="50%" r="4.5" />
    </g>
  )
}
