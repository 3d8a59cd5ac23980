import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import type { Dataset, DatasetRequestInput } from '../shared/core/contracts/dataset.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { CommandError } from './command-error.ts'

type Client = Pick<ApiClient, 'createDataset' | 'dataset' | 'run'>

export interface BuildState {
  dataset: Dataset
  asking: Run | null
}

export interface BuildWatcher {
  onProgress?(state: BuildState): void
  interval?: number
}

export async function buildDataset(
  client: Client,
  request: DatasetRequestInput,
  watcher: BuildWatcher = {},
): Promise<Dataset> {
  return followDataset(client, await client.createDataset(request, randomUUID()), watcher)
}

/**
 * Waits until a dataset is built.
 * @throws CommandError if the build fails, or if the run that asks a model for it is paused: the build continues when
 * that run is resumed
 */
export async function followDataset(
  client: Client,
  begun: Dataset,
  { onProgress, interval = 300 }: BuildWatcher = {},
): Promise<Dataset> {
  let dataset = begun
  while (dataset.status === 'queued' || dataset.status === 'running') {
    const asking = await askingFor(client, dataset)
    onProgress?.({ dataset, asking })
    if (asking?.status === 'paused') throw waitsFor(dataset, asking)
    await sleep(interval)
    dataset = await client.dataset(dataset.id)
  }
  if (dataset.status === 'succeeded') return dataset
  throw new CommandError('dataset_failed', `The dataset ${dataset.id} could not be built: ${dataset.error}`)
}

async function askingFor(client: Client, { annotation_run, progress }: Dataset): Promise<Run | null> {
  return annotation_run === null || progress.phase !== 'asking' ? null : client.run(annotation_run)
}

function waitsFor({ id }: Dataset, run: Run): CommandError {
  const reason = run.status_reason === null ? '' : `: ${run.status_reason.replace(/\.$/, '')}`
  return new CommandError(
    'dataset_waits',
    `The dataset ${id} waits for the run ${run.id}, which asks a model for it and is paused${reason}. Go on: espalier resume ${run.id} --max-cost N, then espalier export --dataset ${id}`,
  )
}
