import { noNumber } from '../../../shared/client/format-quantity.ts'
import type { Estimate } from '../../../shared/contracts/report.ts'
import { showInterval, showNumber } from '../../charts/show-estimate.ts'
import styles from './compare.module.css'

/** A mean, its 95 % interval under it. */
export function EstimateCell({
  of: { mean, ci, tasks },
  format,
}: {
  of: Estimate
  format: (value: number) => string
}) {
  return (
    <td className="number">
      {mean === null ? noNumber : showNumber(mean, format)}
      {ci && (
        <span className={styles.figureInterval} title={`95 % interval (${ci.method}) over ${tasks} tasks`}>
          {showInterval(ci, format)}
        </span>
      )}
    </td>
  )
}

/** A number without an interval. */
export function FigureCell({ value, format }: { value: number | null; format: (value: number) => string }) {
  return <td className="number">{value === null ? noNumber : format(value)}</td>
}
