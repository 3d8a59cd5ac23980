import styles from './status-badge.module.css'

/** How each status looks; the word itself says it too. */
const tones: Record<string, 'good' | 'bad' | 'warn' | 'info'> = {
  succeeded: 'good',
  failed: 'bad',
  errored: 'bad',
  limited: 'warn',
  paused: 'warn',
  running: 'info',
}

/** The status of a run, an episode or a dataset. */
export function StatusBadge({ status }: { status: string }) {
  return <span className={`${styles.badge} ${styles[tones[status] ?? 'plain']}`}>{status}</span>
}
