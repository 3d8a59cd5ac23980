import type { PointerEvent } from 'react'
import { Axes } from './axes.tsx'
import type { LineSeries } from './line-plot.tsx'
import { nearestTo } from './nearest-to.ts'
import styles from './plot.module.css'
import type { PlotFrame } from './plot-frame.ts'
import type { PlotScale } from './plot-scale.ts'
import { SeriesLine } from './series-line.tsx'

/** Of more series than these, the bands would hide one another: only that of a marked one is drawn. */
export const mostBands = 3

/** What a line plot draws. The pointer chooses the place next to it. */
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
