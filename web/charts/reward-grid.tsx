import { type MouseEvent, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatNumber, noNumber } from '../../shared/core/client/format-quantity.ts'
import { Table } from '../components/table.tsx'
import { FigureButtons } from '../drawings/figure-buttons.tsx'
import { showControls } from '../format/show-controls.ts'
import styles from './plot.module.css'
import { PlotNumbers } from './plot-numbers.tsx'
import { useWidth } from './use-width.ts'

export interface GridRow {
  name: string
  about?: string
  cells: readonly { column: number; value: number | null; to: string }[]
}

const side = 16
const gap = 2
const namesWidth = 150
const blockGap = 20
const longestName = 22

/**
 * The rewards of episodes: a row for each task and a column for each epoch. With one epoch the tasks stand side by
 * side. A cell opens its episode; the table below it does the same for the keyboard.
 */
export function RewardGrid({
  label,
  rows,
  columns,
}: {
  label: string
  rows: readonly GridRow[]
  columns: number
}) {
  const figure = useRef<HTMLElement>(null)
  const { element, width } = useWidth<HTMLElement>(640)
  const navigate = useNavigate()
  const isList = columns === 1
  const left = isList ? 0 : namesWidth
  const blockWidth = left + columns * (side + gap) + (isList ? 0 : blockGap)
  const across = Math.max(1, Math.min(rows.length, Math.floor(width / blockWidth)))
  const lines = Math.ceil(rows.length / across)
  const values = rows.flatMap(({ cells }) => cells.flatMap(({ value }) => value ?? []))
  const low = values.reduce((least, value) => Math.min(least, value), 0)
  const high = values.reduce((most, value) => Math.max(most, value), 1)
  const size = { width: across * blockWidth, height: lines * (side + gap) }
  const placeOf = (row: number) => {
    const [at, line] = isList
      ? [row % across, Math.floor(row / across)]
      : [Math.floor(row / lines), row % lines]
    return `translate(${at * blockWidth} ${line * (side + gap)})`
  }
  const open = (event: MouseEvent, to: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void navigate(to)
  }
  return (
    <figure ref={figure} className={styles.plot}>
      <figcaption className={styles.plotCaption}>{label}</figcaption>
      <section ref={element} className={`sideways ${styles.gridFrame}`} aria-label={label} tabIndex={0}>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no fieldset */}
        <svg {...size} viewBox={`0 0 ${size.width} ${size.height}`} role="group" aria-label={label}>
          {rows.map(({ about, name, cells }, row) => (
            <g key={name} transform={placeOf(row)}>
              {!isList && <RowName name={name} about={about} onOpen={open} />}
              {cells.map(({ column, value, to }) => {
                const text = describe(name, column, value, isList)
                return (
                  <a
                    key={column}
                    href={to}
                    tabIndex={-1}
                    aria-label={text}
                    onClick={(event) => open(event, to)}
                  >
                    <title>{text}</title>
                    <rect
                      className={value === null ? styles.cellEmpty : undefined}
                      x={left + (isList ? 0 : column * (side + gap))}
                      width={side}
                      height={side}
                      rx="2"
                      style={value === null ? undefined : { fill: colourOf(value, low, high) }}
                    />
                  </a>
                )
              })}
            </g>
          ))}
        </svg>
      </section>
      <p className={styles.plotNote}>
        Reward <span className={styles.scaleKey} style={{ background: gradient }} aria-hidden />{' '}
        {formatNumber(low)} to {formatNumber(high)}. A cell opens its episode.
      </p>
      <FigureButtons title={label} figure={figure} />
      <PlotNumbers>
        <Table label={label}>
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Rewards</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ about, name, cells }) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {about === undefined ? showControls(name) : <Link to={about}>{showControls(name)}</Link>}
                </th>
                <td>
                  {cells.map(({ column, value, to }) => (
                    <span key={column}>
                      <Link to={to}>{value === null ? noNumber : formatNumber(value)}</Link>{' '}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </PlotNumbers>
    </figure>
  )
}

function RowName({
  name,
  about,
  onOpen,
}: {
  name: string
  about: string | undefined
  onOpen: (event: MouseEvent, to: string) => void
}) {
  const text = (
    <text className={styles.axisTick} x={namesWidth - 8} y={side - 4} textAnchor="end">
      {shorten(showControls(name))}
    </text>
  )
  if (about === undefined) return text
  return (
    <a
      href={about}
      tabIndex={-1}
      aria-label={`${showControls(name)}, merged`}
      onClick={(event) => onOpen(event, about)}
    >
      <title>{`${showControls(name)}: its episodes as one graph`}</title>
      {text}
    </a>
  )
}

const gradient =
  'linear-gradient(to right in oklab, var(--value-low), var(--value-middle), var(--value-high))'

function colourOf(value: number, low: number, high: number): string {
  const share = (value - low) / (high - low)
  const [from, to] = share < 0.5 ? ['low', 'middle'] : ['middle', 'high']
  const percent = Math.round((share < 0.5 ? 2 * share : 2 * share - 1) * 100)
  return `color-mix(in oklab, var(--value-${to}) ${percent}%, var(--value-${from}))`
}

function describe(name: string, column: number, value: number | null, isList: boolean): string {
  const reward = value === null ? 'no reward' : `reward ${formatNumber(value)}`
  return `${showControls(name)}${isList ? '' : `, epoch ${column + 1}`}: ${reward}`
}

function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}
