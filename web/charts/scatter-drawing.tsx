import { curveStepAfter, line } from 'd3-shape'
import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { shortText } from '../format/short-text.ts'
import { showControls } from '../format/show-controls.ts'
import { Axes } from './axes.tsx'
import { placeLabels } from './place-labels.ts'
import styles from './plot.module.css'
import { type Domain, endsOf } from './plot-domain.ts'
import { acrossOf, type PlotFrame, ticksAcross, upOf } from './plot-frame.ts'
import { effortScale, linearScale } from './plot-scale.ts'
import type { ScatterPoint } from './scatter-plot.tsx'
import { seriesStyle } from './series-style.ts'

import { showEstimate } from './show-estimate.ts'

export function ScatterDrawing({
  frame,
  points,
  xAxis,
  yAxis,
  yDomain,
  formatX,
}: {
  frame: PlotFrame
  points: readonly ScatterPoint[]
  xAxis: string
  yAxis: string
  yDomain: Domain
  formatX: (value: number) => string
}) {
  const x = effortScale(
    points.flatMap((point) => point.x.mean ?? []),
    acrossOf(frame),
    { ends: points.flatMap((point) => endsOf(point.x)), count: ticksAcross(frame), format: formatX },
  )
  const y = linearScale(yDomain, upOf(frame), 5)
  const drawn = points.flatMap((point, index) =>
    point.x.mean === null || point.y.mean === null
      ? []
      : [{ ...point, index, at: { x: x.at(point.x.mean), y: y.at(point.y.mean) } }],
  )
  const labels = placeLabels(
    drawn.map(({ name, isOnFront, at }) => ({ ...at, text: labelOf(name, isOnFront) })),
    { left: frame.left, right: frame.width, top: 0, bottom: frame.height - frame.bottom },
  )
  const front = drawn.filter(({ isOnFront }) => isOnFront).sort((one, other) => one.at.x - other.at.x)
  const frontLine = line<(typeof front)[number]>(
    ({ at }) => at.x,
    ({ at }) => at.y,
  ).curve(curveStepAfter)
  return (
    <>
      <Axes frame={frame} x={x} y={y} xName={xAxis} yName={yAxis} />
      <path className={styles.frontLine} d={frontLine(front) ?? ''} />
      {drawn.map(({ id, name, x: across, y: up, isOnFront, index, at }, place) => {
        const { colour, outline } = seriesStyle(index)
        const label = labels[place]
        return (
          <g key={id} style={{ color: colour }}>
            <title>
              {`${showControls(name)}: ${xAxis} ${showEstimate(across, formatX)}, ${yAxis} ${showEstimate(up, formatNumber)}`}
            </title>
            {across.ci && (
              <line
                className={styles.pointWhisker}
                x1={x.at(across.ci.lower)}
                x2={x.at(across.ci.upper)}
                y1={at.y}
                y2={at.y}
              />
            )}
            {up.ci && (
              <line
                className={styles.pointWhisker}
                x1={at.x}
                x2={at.x}
                y1={y.at(up.ci.lower)}
                y2={y.at(up.ci.upper)}
              />
            )}
            {isOnFront && <circle className={styles.pointRing} cx={at.x} cy={at.y} r="10" />}
            <path className={styles.pointSign} transform={`translate(${at.x} ${at.y})`} d={outline(64)} />
            {label && (
              <text
                className={styles.pointLabel}
                x={label.x}
                y={label.y}
                textAnchor={label.anchor}
                dominantBaseline="central"
              >
                {labelOf(name, isOnFront)}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

function labelOf(name: string, isOnFront: boolean): string {
  return `${shortText(name, 24)}${isOnFront ? ' · front' : ''}`
}
