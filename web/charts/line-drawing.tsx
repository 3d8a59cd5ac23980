import { area, line } from 'd3-shape'
import type { PointerEvent } from 'react'
import { Axes } from './axes.tsx'
import type { LinePoint, LineSeries } from './line-plot.tsx'
import styles from './plot.module.css'
import type { PlotFrame } from './plot-frame.ts'
import type { PlotScale } from './plot-scale.ts'
import { seriesStyle } from './series-style.ts'

/** With more series, the bands would hide one another, so only a marked series shows its band. */
export const mostBands = 3

export function LineDrawing({
  label,
  frame,
  series,
  x,
  y,
  xAxis,
  yAxis,
  chosen,
  onChoose,
  marked,
}: {
  label: string
  frame: PlotFrame
  series: readonly LineSeries[]
  x: PlotScale
  y: PlotScale
  xAxis: string
  yAxis: string
  chosen: number
  onChoose: (index: number) => void
  marked: string | null
}) {
  const places = (series[0]?.points ?? []).map((point) => x.at(point.x))

  function follow(event: PointerEvent<SVGSVGElement>) {
    onChoose(nearestTo(places, event.clientX - event.currentTarget.getBoundingClientRect().left))
  }

  return (
    <svg
      className={styles.plotDrawing}
      width={frame.width}
      height={frame.height}
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      role="img"
      aria-label={label}
      onPointerMove={follow}
      onPointerDown={follow}
    >
      <Axes frame={frame} x={x} y={y} xName={xAxis} yName={yAxis} />
      {places[chosen] !== undefined && (
        <line
          className={styles.lineCursor}
          x1={places[chosen]}
          x2={places[chosen]}
          y1={frame.top}
          y2={frame.height - frame.bottom}
        />
      )}
      {series.map(({ id, points }, index) => (
        <SeriesLine
          key={id}
          points={points}
          index={index}
          x={x}
          y={y}
          hasBand={marked === null ? series.length <= mostBands : marked === id}
          isFaint={marked !== null && marked !== id}
        />
      ))}
    </svg>
  )
}

function nearestTo(places: readonly number[], point: number): number {
  let nearest = 0
  for (const [index, place] of places.entries()) {
    if (Math.abs(place - point) < Math.abs((places[nearest] ?? 0) - point)) nearest = index
  }
  return nearest
}

function SeriesLine({
  points,
  index,
  x,
  y,
  hasBand,
  isFaint,
}: {
  points: readonly LinePoint[]
  index: number
  x: PlotScale
  y: PlotScale
  hasBand: boolean
  isFaint: boolean
}) {
  const { colour, outline } = seriesStyle(index)
  const drawn = points.flatMap(({ x: place, y: { mean, ci } }, at) =>
    mean === null
      ? []
      : [{ at, x: x.at(place), y: y.at(mean), low: ci && y.at(ci.lower), high: ci && y.at(ci.upper) }],
  )
  type Drawn = (typeof drawn)[number]
  const ended = points.findIndex((point) => point.ended >= 1)
  const path = line<Drawn>(
    (point) => point.x,
    (point) => point.y,
  )
  const band = area<Drawn>()
    .defined(({ low, high }) => low !== null && high !== null)
    .x((point) => point.x)
    .y0(({ low }) => low ?? 0)
    .y1(({ high }) => high ?? 0)
  const rising = ended === -1 ? drawn : drawn.filter(({ at }) => at <= ended)
  const staying = ended === -1 ? [] : drawn.filter(({ at }) => at >= ended)
  return (
    <g className={isFaint ? styles.seriesFaint : undefined} style={{ color: colour }}>
      {hasBand && <path className={styles.seriesBand} d={band(drawn) ?? ''} />}
      <path className={styles.seriesLine} d={path(rising) ?? ''} />
      <path className={`${styles.seriesLine} ${styles.seriesStaying}`} d={path(staying) ?? ''} />
      {drawn.map((point) => (
        <g key={point.at} transform={`translate(${point.x} ${point.y})`}>
          {point.at === ended && <circle className={styles.seriesEnd} r="8" />}
          <path className={styles.seriesSign} d={outline(point.at === ended ? 56 : 34)} />
        </g>
      ))}
    </g>
  )
}
