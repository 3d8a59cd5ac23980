import styles from './figures.module.css'

const looks: Record<string, string | undefined> = {
  succeeded: styles.statusGood,
  solved: styles.statusGood,
  'not solved': styles.statusBad,
  failed: styles.statusBad,
  errored: styles.statusBad,
  limited: styles.statusWarn,
  paused: styles.statusWarn,
  running: styles.statusInfo,
  starting: styles.statusInfo,
  ready: styles.statusGood,
  'not ready': styles.statusWarn,
}

export function StatusBadge({ status }: { status: string }) {
  return <span className={`${styles.statusBadge} ${looks[status] ?? styles.statusPlain}`}>{status}</span>
}
