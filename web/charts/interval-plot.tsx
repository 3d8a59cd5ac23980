import { scaleLinear } from 'd3-scale'
import { type ReactNode, useRef } from 'react'
import { formatNumber, noNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { showControls } from '../format/show-controls.ts'
import { fittingTicks } from './format-ticks.ts'
import { IntervalMark } from './interval-mark.tsx'
import styles from './interval-plot.module.css'
import { type Domain, domainOf, endsOf, tickCount } from './plot-domain.ts'
import { SeriesMark } from './series-mark.tsx'
import { showInterval, showNumber } from './show-estimate.ts'
import { useWidth } from './use-width.ts'

export interface IntervalRow {
  /** Distinguishes rows of the same name. @default the name */
  id?: string
  name: string
  series?: number
  estimate: Estimate
  note?: ReactNode
}

/** Margin of the axis at both sides, in pixels. */
const sideRoom = 24

/**
 * Estimates in rows over one axis: a dot for the mean, a line for its 95 % interval, and the numbers beside them. It
 * is a table, so a screen reader reads the numbers and skips the drawing.
 *
 * @example
 * <IntervalPlot label="Success by type of task" rows={rows} domain={[0, 1]} axis="success rate" />
 */
export function IntervalPlot({
  label,
  rows,
  domain,
  axis,
  zero = false,
  format = formatNumber,
}: {
  label: string
  rows: readonly IntervalRow[]
  /** @default the range of the rows */
  domain?: Domain | undefined
  axis: string
  zero?: boolean
  /** Formats the numbers beside the plot. @default two decimals */
  format?: (value: number) => string
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLTableCellElement>(320)
  const shown =
    domain ??
    domainOf(
      rows.flatMap(({ estimate }) => endsOf(estimate)),
      { zero },
    )
  const scale = scaleLinear().domain(shown).range([0, 100]).clamp(true)
  const at = (value: number) => Math.round(scale(value) * 100) / 100
  const ticks = fittingTicks(shown, width - sideRoom, tickCount).map((tick) => ({
    ...tick,
    at: at(tick.value),
  }))
  return (
    <figure ref={figure} className={styles.plot}>
      <table className={styles.table}>
        <caption className={styles.caption}>{label}</caption>
        <thead className={styles.head}>
          <tr>
            <td />
            <td />
            <th scope="col">mean [95 % interval]</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, series, estimate, note }) => (
            <tr key={id ?? name} className={styles.row}>
              <th scope="row" className={styles.name}>
                <span className={styles.named}>
                  {series !== undefined && <SeriesMark index={series} />}
                  <span dir="auto" title={showControls(name)} className={styles.text}>
                    {showControls(name)}
                  </span>
                </span>
                {note && <span className={styles.note}>{note}</span>}
              </th>
              <td className={styles.lane}>
                <svg aria-hidden="true" className={styles.drawing}>
                  {ticks.map(({ value, at }) => (
                    <line key={value} className={styles.grid} x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />
                  ))}
                  {zero && (
                    <line className={styles.zero} x1={`${at(0)}%`} x2={`${at(0)}%`} y1="0" y2="100%" />
                  )}
                  <IntervalMark estimate={estimate} domain={shown} at={at} series={series ?? 0} />
                </svg>
              </td>
              <td className={styles.number}>
                <Numbers estimate={estimate} isDifference={zero} format={format} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot aria-hidden="true">
          <tr>
            <td />
            <td ref={element} className={styles.axis}>
              <svg className={styles.ticks} aria-hidden="true">
                <line className={styles.line} x1="0" x2="100%" y1="0.5" y2="0.5" />
                {ticks.map(({ value, at, text }) => (
                  <g key={value}>
                    <line className={styles.line} x1={`${at}%`} x2={`${at}%`} y1="0" y2="5" />
                    <text className={styles.tick} x={`${at}%`} y="18" textAnchor="middle">
                      {text}
                    </text>
                  </g>
                ))}
              </svg>
              <span className={styles.title}>{axis}</span>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
      <FigureButtons title={label} figure={figure} />
    </figure>
  )
}

function Numbers({
  estimate,
  isDifference,
  format,
}: {
  estimate: Estimate
  isDifference: boolean
  format: (value: number) => string
}) {
  const { mean, ci, tasks } = estimate
  if (mean === null) return <span title="No number yet">{noNumber}</span>
  return (
    <>
      {isDifference && mean > 0 && '+'}
      {showNumber(mean, format)}{' '}
      {ci === null ? (
        <span className={styles.interval} title="Below two tasks, and where nothing varied, there is none">
          no interval
        </span>
      ) : (
        <span className={styles.interval} title={`95 % interval (${ci.method}) over ${tasks} tasks`}>
          {showInterval(ci, format)}
        </span>
      )}
    </>
  )
}
