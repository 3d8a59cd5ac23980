import styles from './learned.module.css'

export function IsComplete({ complete }: { complete: boolean }) {
  return complete ? (
    <span>complete</span>
  ) : (
    <span
      className={styles.incomplete}
      title="Its run has not ended. Other runs can use it once that has ended."
    >
      still being written
    </span>
  )
}
