import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import { isTransient } from '../engine/episodes/episode-error.ts'
import { retryAfter } from '../engine/episodes/episode-message.ts'
import type { IncomingMessage, Queue } from '../world/ports.ts'

/** What travels in the queue `datasets`. */
export const datasetMessageSchema = z.object({ dataset: z.string() })

/** Why a dataset failed whose message ended among the dead letters. */
export const neverEnded = 'The build was started again and again and never came to its end.'

export interface BuilderNeeds {
  queue: Queue
  /** Resolves when the dataset has ended, however; throws when it must be tried again. */
  build(dataset: string, options: { signal: AbortSignal; lastTry: boolean }): Promise<void>
  /** Told of what went wrong outside any dataset, such as a queue that cannot be read. */
  onError(error: unknown): void
}

const triesAfterErrors = 3
/** Seconds until a build that was taken over is looked at again: as long as a queue can keep a message back. */
const spareDelay = 900

/**
 * Builds the dataset of a message. Where it must be tried again, the message comes back in a while; where the signal
 * aborts, a fresh one is sent, so that being stopped does not count as a failed try.
 *
 * @returns whether the message is done with and is to be deleted
 */
export async function takeDatasetMessage(
  { queue, build, onError }: BuilderNeeds,
  message: IncomingMessage,
  signal: AbortSignal,
): Promise<boolean> {
  const { dataset } = datasetMessageSchema.parse(message.body)
  const isLast = message.receives >= triesAfterErrors
  try {
    await build(dataset, { signal, lastTry: isLast })
    return true
  } catch (error) {
    if (signal.aborted) {
      await queue.send([{ body: { dataset }, group: message.group }])
      return true
    }
    // A message stands before its dataset does (see `create`); one whose dataset never came is dropped.
    const isUnknown = EspalierError.isInstance(error) && error.code === 'not_found'
    if (isUnknown && isLast) return true
    if (!isUnknown) onError(error)
    const isTakenOver = EspalierError.isInstance(error) && error.code === 'conflict'
    if (isTakenOver) {
      // Another builds it. A fresh message waits in case that one dies: this one would in time become a dead letter.
      await queue.send([{ body: { dataset }, group: message.group, delay: spareDelay }])
      return true
    }
    await queue.extend(message.receipt, delayOf(error, message.receives))
    return false
  }
}

function delayOf(error: unknown, receives: number): number {
  return isTransient(error) ? retryAfter(true, receives) : 2 ** receives
}
