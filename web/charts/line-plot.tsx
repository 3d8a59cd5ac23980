import { useRef, useState } from 'react'
import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { showControls } from '../format/show-controls.ts'
import { LineDrawing, mostBands } from './line-drawing.tsx'
import { LineReadout } from './line-readout.tsx'
import styles from './plot.module.css'
import type { Domain } from './plot-domain.ts'
import { acrossOf, plotFrame, ticksAcross, upOf } from './plot-frame.ts'
import { PlotNumbers } from './plot-numbers.tsx'
import { effortScale, linearScale } from './plot-scale.ts'
import { showEstimate } from './show-estimate.ts'
import { useWidth } from './use-width.ts'

export interface LinePoint {
  x: number
  y: Estimate
  ended: number
}

export interface LineSeries {
  id: string
  name: string
  points: readonly LinePoint[]
}

const halfThumbPixels = 8

/**
 * Several series over effort, with the bands of their 95 % intervals. The slider or the pointer selects the x value
 * to read. The list of values is also the legend, and a table contains all numbers.
 */
export function LinePlot({
  label,
  series,
  xAxis,
  yAxis,
  yDomain,
  formatX,
}: {
  label: string
  series: readonly LineSeries[]
  xAxis: string
  yAxis: string
  yDomain: Domain
  formatX: (value: number) => string
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLDivElement>(640)
  const [wanted, setWanted] = useState(Number.POSITIVE_INFINITY)
  const [pointed, setPointed] = useState<string | null>(null)
  const [kept, setKept] = useState<string | null>(null)
  const marked = pointed ?? kept
  const places = (series[0]?.points ?? []).map(({ x }) => x)
  const chosen = Math.max(0, Math.min(wanted, places.length - 1))
  const frame = plotFrame(width)
  const x = effortScale(places, acrossOf(frame), { count: ticksAcross(frame), format: formatX })
  const y = linearScale(yDomain, upOf(frame), 5)
  const [first = 0, last = 0] = [places[0], places.at(-1)].map((place) => x.at(place ?? 0))
  return (
    <figure ref={figure} className={styles.plot}>
      <figcaption className={styles.plotCaption}>{label}</figcaption>
      <div className={styles.lineParts}>
        <div ref={element} className={styles.lineDrawn}>
          <LineDrawing
            label={label}
            frame={frame}
            series={series}
            x={x}
            y={y}
            xAxis={xAxis}
            yAxis={yAxis}
            chosen={chosen}
            onChoose={setWanted}
            marked={marked}
          />
          {places.length > 1 && (
            <input
              type="range"
              className={styles.lineSlider}
              style={{
                marginLeft: first - halfThumbPixels,
                width: Math.max(120, last - first + 2 * halfThumbPixels),
              }}
              aria-label={`Read the values at: ${xAxis}`}
              aria-valuetext={`${formatX(places[chosen] ?? 0)} ${xAxis}`}
              min={0}
              max={places.length - 1}
              step={1}
              value={chosen}
              onChange={(event) => setWanted(Number(event.target.value))}
            />
          )}
        </div>
        <LineReadout
          series={series}
          chosen={chosen}
          title={`At ${formatX(places[chosen] ?? 0)} ${xAxis}`}
          yAxis={yAxis}
          marked={marked}
          kept={kept}
          onPoint={setPointed}
          onKeep={setKept}
        />
      </div>
      <p className={styles.plotNote}>
        Bands are 95 % intervals
        {series.length > mostBands && '; point at a run in the list to see its own'}. A ring marks where all
        episodes of a run had ended; from there its line is dashed and stays as it is.
      </p>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <LineTable label={label} series={series} xAxis={xAxis} formatX={formatX} />
      </PlotNumbers>
    </figure>
  )
}

function LineTable({
  label,
  series,
  xAxis,
  formatX,
}: {
  label: string
  series: readonly LineSeries[]
  xAxis: string
  formatX: (value: number) => string
}) {
  const places = (series[0]?.points ?? []).map(({ x }) => x)
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col" className="number">
            {xAxis}
          </th>
          {series.map(({ id, name }) => (
            <th key={id} scope="col" className="number" dir="auto">
              {showControls(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((place, index) => (
          <tr key={place}>
            <th scope="row" className="number">
              {formatX(place)}
            </th>
            {series.map(({ id, points }) => {
              const point = points[index]
              return (
                <td key={id} className="number">
                  {point ? showEstimate(point.y, formatNumber) : '–'}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
