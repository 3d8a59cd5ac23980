import { line } from 'd3-shape'
import { useRef } from 'react'
import { formatCount } from '../../shared/core/client/format-quantity.ts'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { Axes } from './axes.tsx'
import styles from './plot.module.css'
import { domainOf } from './plot-domain.ts'
import { acrossOf, plotFrame, ticksAcross, upOf } from './plot-frame.ts'
import { PlotNumbers } from './plot-numbers.tsx'
import { linearScale } from './plot-scale.ts'
import { seriesStyle } from './series-style.ts'
import { useWidth } from './use-width.ts'

export interface MetricPoint {
  step: number
  value: number
}

const height = 260

export function MetricPlot({
  label,
  xAxis = 'step',
  yAxis,
  points,
  place = 0,
}: {
  label: string
  xAxis?: string
  yAxis: string
  points: readonly MetricPoint[]
  place?: number
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLDivElement>(480)
  const frame = { ...plotFrame(width), height }
  const across = domainOf(
    points.map(({ step }) => step),
    { zero: true },
  )
  const x = linearScale(across, acrossOf(frame), ticksAcross(frame), true)
  const y = linearScale(domainOf(points.map(({ value }) => value)), upOf(frame), 5)
  const { colour, outline } = seriesStyle(place)
  const path = line<MetricPoint>(
    ({ step }) => x.at(step),
    ({ value }) => y.at(value),
  )
  const last = points.at(-1)
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
          aria-label={label}
        >
          <Axes frame={frame} x={x} y={y} xName={xAxis} yName={yAxis} />
          <g style={{ color: colour }}>
            <path className={styles.seriesLine} d={path(points) ?? ''} />
            {last && (
              <path
                className={styles.seriesSign}
                d={outline(34)}
                transform={`translate(${x.at(last.step)} ${y.at(last.value)})`}
              />
            )}
          </g>
        </svg>
      </div>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <Table label={label}>
          <thead>
            <tr>
              <th scope="col" className="number">
                {xAxis}
              </th>
              <th scope="col" className="number">
                {yAxis}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ step, value }) => (
              <tr key={step}>
                <th scope="row" className="number">
                  {formatCount(step)}
                </th>
                <td className="number">{value.toPrecision(4)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </PlotNumbers>
    </figure>
  )
}
