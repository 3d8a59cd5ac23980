import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { Metrics } from '@aws-lambda-powertools/metrics'
import { Tracer } from '@aws-lambda-powertools/tracer'
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware'
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { errorFields, type Log } from '../api/log.ts'

/**
 * Name and namespace come from POWERTOOLS_SERVICE_NAME and POWERTOOLS_METRICS_NAMESPACE, which the stack sets. Metrics
 * carry the stage, so that one stage's faults raise no alarm of another.
 */
export const logger = new Logger()
const { ESPALIER_STAGE: stage } = process.env
export const metrics = new Metrics(stage === undefined ? {} : { defaultDimensions: { stage } })
export const tracer = new Tracer()

export const log: Log = ({ level, event, ...fields }) => logger[level](event, fields)

export function logError(error: unknown, what: string): void {
  logger.error('service.failed', { what, ...errorFields(error) })
}

/**
 * Wraps a handler so that its logs carry the invocation, its metrics are sent and its time is traced, also on
 * failure.
 */
export function observed<Event, Result>(
  handle: (event: Event, context: Context) => Promise<Result>,
): (event: Event, context: Context) => Promise<Result> {
  return middy<Event, Result>()
    .use(injectLambdaContext(logger, { clearState: true }))
    .use({ after: sendMetrics, onError: sendMetrics })
    .use(captureLambdaHandler(tracer, { captureResponse: false }))
    .handler(handle) as unknown as (event: Event, context: Context) => Promise<Result>
}

export function sendMetrics(): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics()
}
