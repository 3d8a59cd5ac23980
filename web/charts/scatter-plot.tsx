import { useRef } from 'react'
import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { Column } from '../components/column.tsx'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { showControls } from '../format/show-controls.ts'
import styles from './plot.module.css'
import type { Domain } from './plot-domain.ts'
import { plotFrame } from './plot-frame.ts'
import { PlotNumbers } from './plot-numbers.tsx'
import { ScatterDrawing } from './scatter-drawing.tsx'
import { SeriesMark } from './series-mark.tsx'
import { showEstimate } from './show-estimate.ts'
import { useWidth } from './use-width.ts'

export interface ScatterPoint {
  id: string
  name: string
  x: Estimate
  y: Estimate
  isOnFront: boolean
}

export function ScatterPlot({
  label,
  points,
  xAxis,
  yAxis,
  yDomain,
  formatX,
}: {
  label: string
  points: readonly ScatterPoint[]
  xAxis: string
  yAxis: string
  yDomain: Domain
  formatX: (value: number) => string
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLDivElement>(640)
  const frame = plotFrame(width)
  const missing = points.filter(({ x, y }) => x.mean === null || y.mean === null)
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
          <ScatterDrawing
            frame={frame}
            points={points}
            xAxis={xAxis}
            yAxis={yAxis}
            yDomain={yDomain}
            formatX={formatX}
          />
        </svg>
      </div>
      <p className={styles.plotNote}>
        Lines through a sign are 95 % intervals. Ringed and joined by a dashed line: the Pareto front, runs
        that no other beats in both.
        {missing.length > 0 && ` Left out, because a number is missing: ${missing.map(nameOf).join(', ')}.`}
      </p>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <Table label={label}>
          <thead>
            <tr>
              <Column>Run</Column>
              <Column isNumber>{xAxis}</Column>
              <Column isNumber>{yAxis}</Column>
              <Column>On the Pareto front</Column>
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={point.id}>
                <td dir="auto">
                  <SeriesMark index={index} /> {nameOf(point)}
                </td>
                <td className="number">{showEstimate(point.x, formatX)}</td>
                <td className="number">{showEstimate(point.y, formatNumber)}</td>
                <td>{point.isOnFront ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </PlotNumbers>
    </figure>
  )
}

function nameOf({ name }: ScatterPoint): string {
  return showControls(name)
}
