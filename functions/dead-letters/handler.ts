import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { fromSqsRecord } from '../../shared/core/world/aws/from-sqs-record.ts'
import { buryLetter } from '../aws/bury-letter.ts'
import { observed } from '../aws/observe.ts'
import { openFunctionServices } from '../aws/open-function-services.ts'
import { openInvocationEngine } from '../aws/open-invocation-engine.ts'

export const handler = observed(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const engine = openInvocationEngine(await openFunctionServices(), `lambda-${context.awsRequestId}`)
  const bury = (record: SQSRecord) => buryLetter(engine, fromSqsRecord(record).body)
  return processPartialResponse(event, bury, new BatchProcessor(EventType.SQS), {
    context,
    throwOnFullBatchFailure: false,
  })
})
