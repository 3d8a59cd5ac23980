import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import { describeProgress } from '../format/describe-progress.ts'
import styles from './figures.module.css'
import { ProgressBar } from './progress-bar.tsx'

export function DatasetProgress({ dataset }: { dataset: Pick<Dataset, 'progress' | 'status'> }) {
  const { share, text } = describeProgress(dataset)
  return (
    <div className={styles.datasetProgress}>
      <ProgressBar label="Build" share={share} text={text} />
      <span className={styles.datasetProgressText}>{text}</span>
    </div>
  )
}
