import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { Preview } from './use-preview.ts'

type Asks = DatasetPreview['asks']

// Undefined while the preview belongs to an earlier draft or has failed.
export function asksOf({ data, error, isOld }: Pick<Preview, 'data' | 'error' | 'isOld'>): Asks | undefined {
  return isOld || error !== null ? undefined : data?.asks
}

export function describeCost(asks: Asks | undefined, mayAsk: boolean): string {
  if (!mayAsk || asks === null) return 'No model is asked: it costs nothing.'
  if (asks === undefined) return 'It may ask a model, which costs money.'
  const { endpoint, episodes, model } = asks
  return `Asks ${endpoint}/${model} about up to ${formatCount(episodes)} episodes, which may cost money.`
}
