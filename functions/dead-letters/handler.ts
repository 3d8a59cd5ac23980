import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { datasetMessageSchema, neverEnded } from '../../shared/datasets/take-dataset-message.ts'
import { episodeMessageSchema } from '../../shared/engine/episodes/episode-message.ts'
import { fromSqsRecord } from '../../shared/world/aws/from-sqs-record.ts'
import { logger, metrics, observed } from '../aws/observe.ts'
import { openInvocationEngine } from '../aws/open-invocation-engine.ts'
import { openParts } from '../aws/open-parts.ts'

/**
 * Settles what was taken five times and never came to its end: the dataset as `failed`, the episode as `errored` where a
 * lasting error kept it from being played; otherwise it is sent again. What fails here stays among the dead letters.
 */
export const handler = observed(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const { datasets, engine } = openInvocationEngine(await openParts(), `lambda-${context.awsRequestId}`)

  async function bury(record: SQSRecord): Promise<void> {
    const { body } = fromSqsRecord(record)
    metrics.addMetric('DeadLetters', MetricUnit.Count, 1)
    const episode = episodeMessageSchema.safeParse(body).data
    const dataset = datasetMessageSchema.safeParse(body).data
    if (episode) logger.warn('episode.buried', { ...episode, ended: await engine.bury(episode) })
    else if (dataset) await datasets.giveUp(dataset.dataset, neverEnded)
    else logger.error('dead-letter.unknown', { body: record.body })
  }

  return processPartialResponse(event, bury, new BatchProcessor(EventType.SQS), {
    context,
    throwOnFullBatchFailure: false,
  })
})
