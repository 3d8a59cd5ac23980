import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { isTransient } from '../../shared/core/engine/episodes/episode-error.ts'
import { episodeMessageSchema, retryAfter } from '../../shared/core/engine/episodes/episode-message.ts'
import { sendEpisode } from '../../shared/core/engine/episodes/release-episode.ts'
import { AnswerTimes } from '../../shared/core/engine/routing/answer-times.ts'
import { fromSqsRecord } from '../../shared/core/world/aws/from-sqs-record.ts'
import type { IncomingMessage } from '../../shared/core/world/ports.ts'
import { logError, logger, observed, tracer } from '../aws/observe.ts'
import { openFunctionServices } from '../aws/open-function-services.ts'
import { openInvocationEngine } from '../aws/open-invocation-engine.ts'

/**
 * Milliseconds before the end of the invocation. At `stop`, episodes start no new calls, and new messages continue
 * them. At `cut`, pending calls are cut off and counted as lost.
 */
const margin = { stop: 60_000, cut: 20_000 }

const movesOn = 'Its answers are slow: the run goes on with long-lived workers.'

/**
 * Plays a batch of queued episodes concurrently. Playing an episode twice, or in two workers, changes nothing twice.
 * A message that fails returns to the queue and becomes a dead letter after five attempts.
 */
export const handler = observed(async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const parts = await openFunctionServices()
  const { routes, settings, world } = parts
  const times = new AnswerTimes(async (run, seconds) => {
    try {
      if ((await routes?.measured(run, seconds)) === 'fargate') runner.stop('deadline', movesOn, run)
    } catch (error) {
      logError(error, `settling what plays ${run}`)
    }
  })
  const { engine } = openInvocationEngine(parts, `lambda-${context.awsRequestId}`, {
    onAnswer: (run, milliseconds) => times.note(run, milliseconds),
  })
  const { presence, runner } = engine
  const isAlone = event.Records.every(({ eventSourceARN }) =>
    isQueue(eventSourceARN, settings.ESPALIER_QUEUE_ALONE),
  )
  const queue = isAlone ? world.queues.alone : world.queues.episodes

  async function passOn({ body }: IncomingMessage): Promise<boolean> {
    const { data } = episodeMessageSchema.safeParse(body)
    if (isAlone || routes === null || data === undefined) return false
    if ((await routes.of(data.run)) !== 'fargate') return false
    await sendEpisode(world, data)
    return true
  }

  async function play(record: SQSRecord): Promise<void> {
    const message = fromSqsRecord(record)
    try {
      if (await passOn(message)) return
      await traced(record, () => runner.play(message, isAlone))
    } catch (error) {
      logError(error, `playing ${record.body}`)
      const { data } = episodeMessageSchema.safeParse(message.body)
      try {
        if (data) await engine.note(data, error)
      } finally {
        await queue.extend(message.receipt, retryAfter(isTransient(error), message.receives))
      }
      throw error
    }
  }

  const left = context.getRemainingTimeInMillis()
  const stop = setTimeout(() => runner.stop('deadline', 'The invocation ends.'), left - margin.stop)
  const cut = setTimeout(() => runner.abort(), left - margin.cut)
  let isSettled = false
  try {
    await presence.begin()
    const processor = new BatchProcessor(EventType.SQS)
    const answer = await processPartialResponse(event, play, processor, {
      context,
      throwOnFullBatchFailure: false,
    })
    await runner.leave()
    isSettled = true
    return answer
  } finally {
    clearTimeout(stop)
    clearTimeout(cut)
    await presence.end({ isSettled })
  }
})

function isQueue(arn: string, url: string): boolean {
  return arn.split(':').at(-1) === url.split('/').at(-1)
}

async function traced(record: SQSRecord, play: () => Promise<void>): Promise<void> {
  const parent = tracer.getSegment()
  const segment = parent?.addNewSubsegment('episode')
  const { data } = episodeMessageSchema.safeParse(JSON.parse(record.body))
  segment?.addAnnotation('run', data?.run ?? 'unknown')
  segment?.addAnnotation('episode', data?.episode ?? 'unknown')
  logger.debug('episode.taken', { ...data })
  try {
    await play()
  } catch (error) {
    if (error instanceof Error) segment?.addError(error)
    throw error
  } finally {
    segment?.close()
  }
}
