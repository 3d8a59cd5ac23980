import type { Training } from '../../shared/core/contracts/training.ts'
import { describeTraining } from '../format/describe-training.ts'
import styles from './figures.module.css'
import { ProgressBar } from './progress-bar.tsx'

export function TrainingProgress({ training }: { training: Pick<Training, 'progress' | 'status'> }) {
  const { share, text } = describeTraining(training)
  return (
    <div className={styles.datasetProgress}>
      <ProgressBar label="Training" share={share} text={text} />
      <span className={styles.datasetProgressText}>{text}</span>
    </div>
  )
}
