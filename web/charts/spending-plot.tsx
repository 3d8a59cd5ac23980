import { curveStepAfter, line } from 'd3-shape'
import { useRef } from 'react'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { formatSeconds } from '../format/format-seconds.ts'
import { Axes } from './axes.tsx'
import styles from './plot.module.css'
import { domainOf } from './plot-domain.ts'
import { acrossOf, plotFrame, ticksAcross, upOf } from './plot-frame.ts'
import { PlotNumbers } from './plot-numbers.tsx'
import { linearScale, type PlotScale } from './plot-scale.ts'
import { useWidth } from './use-width.ts'

interface Point {
  seconds: number
  spent: number
}

const height = 260

export function SpendingPlot({
  label,
  yAxis,
  points,
  ahead,
  cap,
  format,
  note,
}: {
  label: string
  yAxis: string
  points: readonly Point[]
  ahead: Point | null
  cap: number | null
  format: (amount: number) => string
  note: string
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLDivElement>(480)
  const frame = { ...plotFrame(width), height, left: 70 }
  const all = ahead === null ? points : [...points, ahead]
  const last = points.at(-1)
  const times = all.map(({ seconds }) => seconds)
  const most = all.reduce((high, { spent }) => Math.max(high, spent), 0)
  // A cap far above would press the line to the ground.
  const isCapShown = cap !== null && cap <= most * 3
  const x = named(
    linearScale(domainOf(times, { zero: true }), acrossOf(frame), Math.ceil(ticksAcross(frame) / 2)),
    formatSeconds,
  )
  const y = named(
    linearScale(domainOf([most, ...(isCapShown ? [cap] : [])], { zero: true }), upOf(frame), 4),
    format,
  )
  const path = line<Point>(
    ({ seconds }) => x.at(seconds),
    ({ spent }) => y.at(spent),
  )
  return (
    <figure ref={figure} className={styles.plot}>
      <figcaption className={styles.plotCaption}>{label}</figcaption>
      <div ref={element}>
        <svg
          className={styles.plotDrawing}
          width={frame.width}
          height={frame.height}
          viewBox={`0 0 ${frame.width} ${frame.height}`}
          role="img"
          aria-label={`${label}. ${note}`}
        >
          <Axes frame={frame} x={x} y={y} xName="time since the start" yName={yAxis} />
          {isCapShown && (
            <g style={{ color: 'var(--bad)' }}>
              <line
                className={styles.seriesLine}
                x1={frame.left}
                x2={frame.width - frame.right}
                y1={y.at(cap)}
                y2={y.at(cap)}
              />
              <text className={styles.pointLabel} x={frame.left + 6} y={y.at(cap) - 5}>
                limit {format(cap)}
              </text>
            </g>
          )}
          <g style={{ color: 'var(--series-1)' }}>
            <path className={styles.seriesLine} d={path.curve(curveStepAfter)(points) ?? ''} />
            {last && ahead && (
              <line
                className={`${styles.seriesLine} ${styles.seriesStaying}`}
                x1={x.at(last.seconds)}
                y1={y.at(last.spent)}
                x2={x.at(ahead.seconds)}
                y2={y.at(ahead.spent)}
              />
            )}
            {last && (
              <circle className={styles.seriesSign} cx={x.at(last.seconds)} cy={y.at(last.spent)} r="3.5" />
            )}
          </g>
        </svg>
      </div>
      <p className={styles.plotNote}>{note}</p>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <Table label={label}>
          <thead>
            <tr>
              <th scope="col" className="number">
                time since the start
              </th>
              <th scope="col" className="number">
                {yAxis}
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((point) => (
              <tr key={`${point.seconds} ${point.spent}`}>
                <th scope="row" className="number">
                  {formatSeconds(point.seconds)}
                  {point === ahead && ' (projected)'}
                </th>
                <td className="number">{format(point.spent)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </PlotNumbers>
    </figure>
  )
}

function named(scale: PlotScale, format: (value: number) => string): PlotScale {
  return { ...scale, ticks: scale.ticks.map((tick) => ({ ...tick, text: format(tick.value) })) }
}
