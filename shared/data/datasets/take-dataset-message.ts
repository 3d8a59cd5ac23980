import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { isTransient } from '../../core/engine/episodes/episode-error.ts'
import { retryAfter } from '../../core/engine/episodes/episode-message.ts'
import type { IncomingMessage, OutgoingMessage, Queue } from '../../core/world/ports.ts'

export const datasetMessageSchema = z.object({
  dataset: z.string(),
  part: z.int().nonnegative().optional(),
  looks: z.int().nonnegative().optional().describe('How often it was looked whether the model has answered.'),
  stops: z.int().positive().optional().describe('How often its worker’s time was over before it was done.'),
})

export type DatasetWork = z.infer<typeof datasetMessageSchema>

export type NextWork = DatasetWork & { delay?: number }

export const neverEnded = 'The build was started again and again and never came to its end.'

export const neverDone =
  'A piece of the build was begun again and again and outlasted its worker’s time each time. Build the dataset from fewer runs, or on one machine.'

export interface BuilderNeeds {
  queue: Queue
  advance(work: DatasetWork, options: { signal: AbortSignal; lastTry: boolean }): Promise<NextWork[]>
  giveUp(dataset: string, reason: string): Promise<void>
  onError(error: unknown): void
  /**
   * Maximum lifetime of a worker, in seconds. A build taken over by another is checked again after it, at most after
   * {@link longestDelaySeconds}.
   *
   * @default 900
   */
  lifetime?: number
}

const triesAfterErrors = 3
/** Some two hours of Lambda: work unfinished by then never finishes, and costs the same again each time. */
const mostStops = 8
const longestDelaySeconds = 900

/**
 * Does the work of a message, and sends the next messages. If the work must be retried, the message becomes visible
 * again later. If the signal aborts, sends a fresh message, so that an interruption does not count as a failed try. A
 * `TimeoutError` as the reason means that the worker's time is over, which may happen only a limited number of times.
 *
 * @returns whether the message is finished and can be deleted
 */
export async function takeDatasetMessage(
  { queue, advance, giveUp, onError, lifetime = longestDelaySeconds }: BuilderNeeds,
  message: IncomingMessage,
  signal: AbortSignal,
): Promise<boolean> {
  const work = datasetMessageSchema.parse(message.body)
  const isLast = message.receives >= triesAfterErrors
  try {
    const next = await advance(work, { signal, lastTry: isLast })
    // Sent before this message is deleted: a kill in between repeats work, and loses none.
    if (next.length > 0) await queue.send(next.map(toMessage))
    return true
  } catch (error) {
    if (signal.aborted) {
      const stops = (work.stops ?? 0) + (isDeadline(signal) ? 1 : 0)
      if (stops === mostStops) await giveUp(work.dataset, neverDone)
      else await queue.send([toMessage(stops === 0 ? work : { ...work, stops })])
      return true
    }
    // A message is sent before its dataset is stored (see `create`); one whose dataset was never stored is dropped.
    const isUnknown = EspalierError.isInstance(error) && error.code === 'not_found'
    if (isUnknown && isLast) return true
    if (!isUnknown) onError(error)
    const isTakenOver = EspalierError.isInstance(error) && error.code === 'conflict'
    if (isTakenOver) {
      // Another worker builds it. A fresh message waits in case that worker dies: this one would in time become a
      // dead letter.
      await queue.send([toMessage({ ...work, delay: Math.min(lifetime, longestDelaySeconds) })])
      return true
    }
    await queue.extend(message.receipt, delayOf(error, message.receives))
    return false
  }
}

/** The dataset is the message group, so that one with many parts does not delay others. */
function toMessage({ dataset, part, looks, stops, delay }: NextWork): OutgoingMessage {
  const body = {
    dataset,
    ...(part !== undefined && { part }),
    ...(looks !== undefined && { looks }),
    ...(stops !== undefined && { stops }),
  }
  return { body, group: dataset, ...(delay !== undefined && { delay }) }
}

function isDeadline({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

function delayOf(error: unknown, receives: number): number {
  return isTransient(error) ? retryAfter(true, receives) : 2 ** receives
}
