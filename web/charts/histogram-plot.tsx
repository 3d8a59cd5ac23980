import { useRef } from 'react'
import { formatCount } from '../../shared/core/client/format-quantity.ts'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { Axes } from './axes.tsx'
import styles from './plot.module.css'
import { type Domain, domainOf } from './plot-domain.ts'
import { acrossOf, plotFrame, ticksAcross, upOf } from './plot-frame.ts'
import { PlotNumbers } from './plot-numbers.tsx'
import { linearScale } from './plot-scale.ts'
import { useWidth } from './use-width.ts'

export interface HistogramBin {
  from: number
  to: number
  episodes: number
  solved: number
}

const height = 220

const gap = 1

export function HistogramPlot({
  label,
  xAxis,
  bins,
  isWhole = false,
}: {
  label: string
  xAxis: string
  bins: readonly HistogramBin[]
  isWhole?: boolean
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLDivElement>(480)
  const frame = { ...plotFrame(width), height }
  const x = linearScale(rangeOf(bins, isWhole), acrossOf(frame), ticksAcross(frame), isWhole)
  const y = linearScale(
    domainOf(
      bins.map(({ episodes }) => episodes),
      { zero: true },
    ),
    upOf(frame),
    4,
    true,
  )
  const bar = ({ from, to }: HistogramBin, low: number, high: number) => ({
    x: x.at(from) + gap / 2,
    width: Math.max(1, x.at(to) - x.at(from) - gap),
    y: y.at(high),
    height: y.at(low) - y.at(high),
  })
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
          <Axes frame={frame} x={x} y={y} xName={xAxis} yName="episodes" />
          {bins.map((bin) => (
            <g key={bin.from}>
              <title>{`${nameOf(bin, isWhole)}: ${describe(bin)}`}</title>
              <rect className={styles.barSolved} {...bar(bin, 0, bin.solved)} />
              <rect className={styles.barOther} {...bar(bin, bin.solved, bin.episodes)} />
            </g>
          ))}
        </svg>
      </div>
      <p className={styles.plotNote}>
        <span className={`${styles.barKey} ${styles.keySolved}`} aria-hidden /> solved{' '}
        <span className={`${styles.barKey} ${styles.keyOther}`} aria-hidden /> not solved
      </p>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <Table label={label}>
          <thead>
            <tr>
              <th scope="col">{xAxis}</th>
              <th scope="col" className="number">
                episodes
              </th>
              <th scope="col" className="number">
                solved
              </th>
            </tr>
          </thead>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.from}>
                <th scope="row">{nameOf(bin, isWhole)}</th>
                <td className="number">{formatCount(bin.episodes)}</td>
                <td className="number">{formatCount(bin.solved)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </PlotNumbers>
    </figure>
  )
}

/** The range of the bins: for rewards from 0 to 1 at least, for counts wide enough that a single bin stays narrow. */
function rangeOf(bins: readonly HistogramBin[], isWhole: boolean): Domain {
  const from = bins[0]?.from ?? 0
  const to = bins.at(-1)?.to ?? 1
  return isWhole ? [from, Math.max(to, from + 10)] : [Math.min(from, 0), Math.max(to, 1)]
}

function nameOf({ from, to }: HistogramBin, isWhole: boolean): string {
  if (!isWhole) return `${from} to ${to}`
  return to - from === 1 ? String(from) : `${from} to ${to - 1}`
}

function describe({ episodes, solved }: HistogramBin): string {
  return `${formatCount(episodes)} episodes, ${formatCount(solved)} solved`
}
