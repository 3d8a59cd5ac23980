import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset, DatasetRequest } from '../shared/contracts/dataset.ts'
import type { ApiClient } from './api-client.ts'
import { CommandError } from './command-error.ts'

/** Has a dataset built and waits for it. @throws CommandError where the build fails */
export async function buildDataset(
  client: Pick<ApiClient, 'createDataset' | 'dataset'>,
  request: Partial<DatasetRequest> & { runs: string[] },
  options: { interval?: number } = {},
): Promise<Dataset> {
  const { interval = 300 } = options
  let dataset = await client.createDataset(request, randomUUID())
  while (dataset.status === 'queued' || dataset.status === 'running') {
    await sleep(interval)
    dataset = await client.dataset(dataset.id)
  }
  if (dataset.status === 'succeeded') return dataset
  throw new CommandError('dataset_failed', `The dataset ${dataset.id} could not be built: ${dataset.error}`)
}

/** The lines that say how many rows there are, why episodes gave none, and how to load them. */
export function describeDataset(dataset: Dataset, folder: string): string[] {
  const leftOut = Object.entries(dataset.left_out).map(([reason, count]) => `${count} ${reason}`)
  return [
    `${dataset.rows} rows (${dataset.request.kind}, ${dataset.request.format}) in ${folder}`,
    ...(leftOut.length > 0 ? [`episodes without a row: ${leftOut.join(', ')}`] : []),
    `load it:  datasets.load_dataset("json", data_files="${folder}/data-*.jsonl.gz")  (Python)`,
    `or plain: gzip -dc ${folder}/data-*.jsonl.gz > train.jsonl`,
  ]
}
