import styles from './plot.module.css'
import type { PlotFrame } from './plot-frame.ts'
import type { PlotScale } from './plot-scale.ts'

export function Axes({
  frame: { width, height, left, right, top, bottom },
  x,
  y,
  xName,
  yName,
}: {
  frame: PlotFrame
  x: PlotScale
  y: PlotScale
  xName: string
  yName: string
}) {
  return (
    <g>
      {y.ticks.map(({ value, at, text }) => (
        <g key={value}>
          <line className={styles.axisGrid} x1={left} x2={width - right} y1={at} y2={at} />
          <text className={styles.axisTick} x={left - 8} y={at} textAnchor="end" dominantBaseline="central">
            {text}
          </text>
        </g>
      ))}
      {x.ticks.map(({ value, at, text }) => (
        <g key={value}>
          <line className={styles.axisGrid} x1={at} x2={at} y1={top} y2={height - bottom + 5} />
          <text className={styles.axisTick} x={at} y={height - bottom + 19} textAnchor="middle">
            {text}
          </text>
        </g>
      ))}
      <line
        className={styles.axisLine}
        x1={left}
        x2={width - right}
        y1={height - bottom}
        y2={height - bottom}
      />
      <line className={styles.axisLine} x1={left} x2={left} y1={top} y2={height - bottom} />
      <text className={styles.axisName} x={(left + width - right) / 2} y={height - 6} textAnchor="middle">
        {xName}
        {x.isLog && ' (logarithmic)'}
      </text>
      <text
        className={styles.axisName}
        transform={`translate(12 ${(top + height - bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        {yName}
      </text>
    </g>
  )
}
