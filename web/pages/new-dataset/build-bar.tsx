import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import { Button } from '../../components/button.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import styles from './new-dataset-page.module.css'

export function BuildBar({
  isSent,
  error,
  isComplete,
  asks,
  mayAsk,
}: {
  isSent: boolean
  error: Error | null
  isComplete: boolean
  asks: DatasetPreview['asks'] | undefined
  mayAsk: boolean
}) {
  return (
    <div className={styles.buildBar}>
      <div className={styles.buildSend}>
        <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
          {isSent ? 'Sending …' : 'Build the dataset'}
        </Button>
        <p className={styles.buildNote}>
          {isComplete ? describeCost(asks, mayAsk) : 'Choose a run or an import first.'}
        </p>
      </div>
      {error !== null && <Refusal error={error} />}
    </div>
  )
}

function describeCost(asks: DatasetPreview['asks'] | undefined, mayAsk: boolean): string {
  if (!mayAsk || asks === null) return 'No model is asked: it costs nothing.'
  if (asks === undefined) return 'It may ask a model, which costs money.'
  const { endpoint, episodes, model } = asks
  return `Asks ${endpoint}/${model} about up to ${formatCount(episodes)} episodes, which may cost money.`
}
