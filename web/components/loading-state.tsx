import styles from './state.module.css'

/** A loading indicator. It appears with a delay, so that fast answers do not flicker. */
export function LoadingState({ what }: { what: string }) {
  return (
    <div className={styles.loadingState} role="status">
      <span className="visually-hidden">Loading {what} …</span>
      <div className={styles.loadingLines} aria-hidden />
    </div>
  )
}
