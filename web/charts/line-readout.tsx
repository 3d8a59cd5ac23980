import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { Column } from '../components/column.tsx'
import { showControls } from '../format/show-controls.ts'
import type { LineSeries } from './line-plot.tsx'
import styles from './plot.module.css'
import { SeriesMark } from './series-mark.tsx'
import { showEstimate } from './show-estimate.ts'

export function LineReadout({
  series,
  chosen,
  title,
  yAxis,
  marked,
  kept,
  onPoint,
  onKeep,
}: {
  series: readonly LineSeries[]
  chosen: number
  title: string
  yAxis: string
  marked: string | null
  kept: string | null
  onPoint: (id: string | null) => void
  onKeep: (id: string | null) => void
}) {
  return (
    <div className={styles.readout}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <Column>Run</Column>
            <Column isNumber>{yAxis}</Column>
            <Column isNumber>ended</Column>
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint(null)}>
          {series.map(({ id, name, points }, index) => {
            const point = points[chosen]
            return (
              <tr
                key={id}
                className={marked === id ? styles.readoutMarked : undefined}
                onPointerEnter={() => onPoint(id)}
              >
                <th scope="row">
                  <button
                    type="button"
                    className={styles.readoutName}
                    title={showControls(name)}
                    aria-pressed={kept === id}
                    onClick={() => onKeep(kept === id ? null : id)}
                  >
                    <SeriesMark index={index} />
                    <span dir="auto">{showControls(name)}</span>
                  </button>
                </th>
                <td className="number">{point ? showEstimate(point.y, formatNumber) : '–'}</td>
                <td className="number">{point ? `${Math.round(point.ended * 100)} %` : '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
