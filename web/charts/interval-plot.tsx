import { scaleLinear } from 'd3-scale'
import { type ReactNode, useRef } from 'react'
import { formatNumber, noNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { showControls } from '../format/show-controls.ts'
import { fittingTicks } from './format-ticks.ts'
import styles from './interval-plot.module.css'
import { type Domain, domainOf, endsOf, tickCount } from './plot-domain.ts'
import { SeriesMark } from './series-mark.tsx'
import { seriesStyle } from './series-style.ts'
import { showInterval, showNumber } from './show-estimate.ts'
import { useWidth } from './use-width.ts'

export interface IntervalRow {
  id?: string
  name: string
  series?: number
  estimate: Estimate
  note?: ReactNode
}

const sideMarginPixels = 24

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
  domain?: Domain | undefined
  axis: string
  zero?: boolean
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
  const ticks = fittingTicks(shown, width - sideMarginPixels, tickCount).map((tick) => ({
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

/**
 * The dot and interval of one row. A dot without an interval is hollow. An interval beyond the axis has no end mark
 * there.
 *
 * @param at - maps a number to a position from 0 to 100, clamped to the axis
 */
function IntervalMark({
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
