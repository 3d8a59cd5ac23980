import { area, line } from 'd3-shape'
import type { LinePoint } from './line-plot.tsx'
import styles from './plot.module.css'
import type { PlotScale } from './plot-scale.ts'
import { seriesStyle } from './series-style.ts'

export function SeriesLine({
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
