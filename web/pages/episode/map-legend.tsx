import type { ReactNode } from 'react'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { showControls } from '../../format/show-controls.ts'
import type { Colouring } from '../../tree/colouring.ts'
import { seriesColours } from '../../tree/palette.ts'
import { shareColour, type ValueRange } from '../../tree/value-colour.ts'
import styles from './tree-map.module.css'

export function MapLegend({
  colour,
  range: { low, high },
  names,
  isReplay,
}: {
  colour: Colouring['colour']
  range: ValueRange
  names?: readonly string[] | undefined
  isReplay: boolean
}) {
  const colours = [0, 0.25, 0.5, 0.75, 1].map(shareColour).join(', ')
  return (
    <ul className={styles.mapLegend} aria-label="Legend of the map">
      {names?.map((name, at) => (
        <li key={name}>
          <Shape>
            <circle cx="9" cy="8" r="4.5" style={{ fill: `var(--series-${(at % seriesColours) + 1})` }} />
          </Shape>
          <bdi>{showControls(name)}</bdi>
        </li>
      ))}
      {names === undefined && (
        <li>
          {colour} {formatNumber(low, low % 1 === 0 ? 0 : 2)}
          <span
            className={styles.legendScale}
            style={{ background: `linear-gradient(to right, ${colours})` }}
          />
          {formatNumber(high, high % 1 === 0 ? 0 : 2)}
        </li>
      )}
      <li>
        <Shape>
          <circle cx="2.5" cy="8" r="2.5" />
          <circle cx="12" cy="8" r="5.5" />
        </Shape>
        visits as area
      </li>
      <li>
        <Shape>
          <circle cx="9" cy="8" r="4.5" className={styles.legendHollow} />
        </Shape>
        {colour === 'value' ? 'not visited' : `no ${colour}`}
      </li>
      <li>
        <Shape>
          <path d="M0 8h18" className={styles.legendBest} />
          <circle cx="10" cy="8" r="4" />
          <circle cx="10" cy="8" r="6.5" className={styles.legendRing} />
        </Shape>
        path to the answer
      </li>
      <li>
        <Shape>
          <rect x="4" y="3" width="10" height="10" />
        </Shape>
        task ended
      </li>
      <li>
        <Shape>
          <circle cx="7" cy="8" r="4.5" />
          <path d="M15 2v12" className={styles.legendMark} />
        </Shape>
        nothing left below
      </li>
      <li>
        <Shape>
          <circle cx="9" cy="8" r="4" />
          <path d="M3 2l12 12M3 14l12-12" className={styles.legendMark} />
        </Shape>
        invalid
      </li>
      <li>
        <Shape>
          <path d="M9 1.5l6.5 6.5l-6.5 6.5l-6.5-6.5z" />
        </Shape>
        punished
      </li>
      {isReplay && (
        <li>
          <Shape>
            <circle cx="9" cy="8" r="3" />
            <circle cx="9" cy="8" r="6.5" className={styles.legendNow} />
          </Shape>
          this step
        </li>
      )}
    </ul>
  )
}

function Shape({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 18 16" width="18" height="16" className={styles.legendShape} aria-hidden>
      {children}
    </svg>
  )
}
