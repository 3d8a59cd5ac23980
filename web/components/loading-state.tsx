import styles from './loading-state.module.css'

/** What stands where something is on its way. It appears late, so that what comes at once does not flicker. */
export function LoadingState({ what }: { what: string }) {
  return (
    <div className={styles.state} role="status">
      <span className="visually-hidden">Loading {what} …</span>
      <div className={styles.lines} aria-hidden />
    </div>
  )
}
