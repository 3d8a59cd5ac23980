import type { PointerEvent } from 'react'
import { Axes } from './axes.tsx'
import type { LineSeries } from './line-plot.tsx'
import styles from './plot.module.css'
import type { PlotFrame } from './plot-frame.ts'
import type { PlotScale } from './plot-scale.ts'
import { SeriesLine } from './series-line.tsx'

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
