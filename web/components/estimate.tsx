import { formatNumber, noNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate as Measured } from '../../shared/core/contracts/report.ts'
import styles from './figures.module.css'

export function Estimate({ of }: { of: Measured }) {
  const { mean, ci } = of
  if (mean === null) return <span title="No number yet">{noNumber}</span>
  return (
    <span className={styles.estimate}>
      {formatNumber(mean)}
      {ci && (
        <span
          className={styles.estimateInterval}
          title={`95 % interval (${ci.method}) over ${of.tasks} tasks`}
        >
          {' '}
          [{formatNumber(ci.lower)}, {formatNumber(ci.upper)}]
        </span>
      )}
    </span>
  )
}
