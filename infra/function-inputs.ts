import type { Queues } from './queues.ts'
import type { Storage } from './storage.ts'

export interface FunctionInputs {
  stage: string
  storage: Storage
  queues: Queues
  environment: Record<string, string>
  endpoints: string | null
  environments: string | null
  pages: string
}

export function sharedEnvironment(options: {
  stage: string
  code: string
  storage: Storage
  queues: Queues
}): Record<string, string> {
  const { episodes, alone, datasets, jobs } = options.queues.queues
  return {
    ESPALIER_STAGE: options.stage,
    ESPALIER_CODE: options.code,
    ESPALIER_TABLE: options.storage.table.tableName,
    ESPALIER_BUCKET: options.storage.bucket.bucketName,
    ESPALIER_QUEUE_EPISODES: episodes.queue.queueUrl,
    ESPALIER_QUEUE_ALONE: alone.queue.queueUrl,
    ESPALIER_QUEUE_DATASETS: datasets.queue.queueUrl,
    ESPALIER_QUEUE_JOBS: jobs.queue.queueUrl,
    ESPALIER_DEAD_EPISODES: episodes.deadLetters.queueUrl,
    ESPALIER_DEAD_ALONE: alone.deadLetters.queueUrl,
    ESPALIER_DEAD_DATASETS: datasets.deadLetters.queueUrl,
    ESPALIER_DEAD_JOBS: jobs.deadLetters.queueUrl,
    POWERTOOLS_SERVICE_NAME: 'espalier',
    POWERTOOLS_METRICS_NAMESPACE: 'Espalier',
    POWERTOOLS_LOG_LEVEL: 'INFO',
  }
}
