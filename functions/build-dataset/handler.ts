import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { fromSqsRecord } from '../../shared/core/world/aws/from-sqs-record.ts'
import { takeDatasetMessage } from '../../shared/data/datasets/take-dataset-message.ts'
import { logError, logger, observed } from '../aws/observe.ts'
import { openFunctionServices } from '../aws/open-function-services.ts'
import { openInvocationEngine } from '../aws/open-invocation-engine.ts'

/** Milliseconds before the end of the invocation at which a build stops. A new message continues it. */
const margin = 60_000

/**
 * Builds a dataset or one of its parts from a batch of one message, as the stack sets it. If the time runs out, the
 * next invocation continues.
 */
export const handler = observed(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const lifetime = Math.ceil(context.getRemainingTimeInMillis() / 1000)
  const parts = await openFunctionServices()
  const { datasets } = openInvocationEngine(parts, `lambda-${context.awsRequestId}`)
  const stopping = new AbortController()
  const isOver = new DOMException('The invocation ends.', 'TimeoutError')
  const timer = setTimeout(() => stopping.abort(isOver), context.getRemainingTimeInMillis() - margin)

  async function advance(record: SQSRecord): Promise<void> {
    const needs = {
      queue: parts.world.queues.datasets,
      advance: datasets.advance,
      giveUp: datasets.giveUp,
      onError: (error: unknown) => logError(error, `building ${record.body}`),
      lifetime,
    }
    const done = await takeDatasetMessage(needs, fromSqsRecord(record), stopping.signal)
    logger.info('dataset.taken', { message: record.body, done })
    if (!done) throw new Error('The dataset is to be built again.')
  }

  try {
    return await processPartialResponse(event, advance, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    })
  } finally {
    clearTimeout(timer)
  }
})
