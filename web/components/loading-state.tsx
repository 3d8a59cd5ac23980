import styles from './loading-state.module.css'

/** Shown while something is loading. It appears late, so that fast answers do not flicker. */
export function LoadingState({ what }: { what: string }) {
  return (
    <div className={styles.state} role="status">
      <span className="visually-hidden">Loading {what} …</span>
      <div className={styles.lines} aria-hidden />
    </div>
  )
}
