import { shareColour } from '../../tree/value-colour.ts'
import styles from '../episode/tree-map.module.css'

export function GraphLegend() {
  const colours = [0, 0.25, 0.5, 0.75, 1].map(shareColour).join(', ')
  return (
    <ul className={styles.mapLegend} aria-label="Legend of the map">
      <li>
        none solved
        <span
          className={styles.legendScale}
          style={{ background: `linear-gradient(to right, ${colours})` }}
        />
        all solved
      </li>
      <li>number of episodes as width and area</li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={styles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="4.5" className={styles.legendHollow} />
        </svg>
        no outcome
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={styles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="3" />
          <circle cx="9" cy="8" r="6.5" className={styles.legendNow} />
        </svg>
        episodes part
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={styles.legendShape} aria-hidden>
          <circle cx="9" cy="8" r="4" />
          <circle cx="9" cy="8" r="6.5" className={styles.legendRing} />
        </svg>
        most solved episodes end
      </li>
      <li>
        <svg viewBox="0 0 18 16" width="18" height="16" className={styles.legendShape} aria-hidden>
          <path d="M0 8h18" className={styles.legendHollow} strokeDasharray="4 3" />
        </svg>
        to a state that is drawn elsewhere
      </li>
      <li>square: the task ended</li>
    </ul>
  )
}
