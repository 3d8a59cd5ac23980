import styles from './compare.module.css'

/** Won, tied and lost tasks as parts of one bar; the numbers are beside it. */
export function OutcomeBar({ won, tied, lost }: { won: number; tied: number; lost: number }) {
  return (
    <div className={styles.outcomeBar}>
      {Object.entries({ won, tied, lost }).map(([outcome, count]) => (
        <div key={outcome} data-outcome={outcome} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}
