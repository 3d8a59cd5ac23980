import { area, line } from 'd3-shape'
import styles from './line-plot.module.css'
import type { LinePoint } from './line-plot.tsx'
import type { PlotScale } from './plot-scale.ts'
import { seriesStyle } from './series-style.ts'

/** One series: its line, dashed from where all had ended, a sign at each place, and its band. */
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
    <g className={isFaint ? styles.faint : undefined} style={{ color: colour }}>
      {hasBand && <path className={styles.band} d={band(drawn) ?? ''} />}
      <path className={styles.line} d={path(rising) ?? ''} />
      <path className={`${styles.line} ${styles.staying}`} d={path(staying) ?? ''} />
      {drawn.map((point) => (
        <g key={point.at} transform={`translate(${point.x} ${point.y})`}>
          {point.at === ended && <circle className={styles.end} r="8" />}
          <path className={styles.sign} d={outline(point.at === ended ? 56 : 34)} />
        </g>
      ))}
    </g>
  )
}
