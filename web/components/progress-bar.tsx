import styles from './figures.module.css'

export function ProgressBar({ label, share, text }: { label: string; share: number; text?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      className={styles.progressBar}
    >
      <div className={styles.progressDone} style={{ width: `${percent}%` }} />
    </div>
  )
}
