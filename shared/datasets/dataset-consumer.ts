import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import type { Clock, IncomingMessage, Queue } from '../world/ports.ts'

/** What travels in the queue `datasets`. */
export const datasetMessageSchema = z.object({ dataset: z.string() })

export interface DatasetConsumer {
  /** Gives back what is being built, to be continued by the next consumer, and takes nothing more. Idempotent. */
  stop(): Promise<void>
}

export interface ConsumerNeeds {
  queue: Queue
  clock: Clock
  /** Resolves when the dataset has ended, however; throws when it must be tried again. */
  build(dataset: string, options: { signal: AbortSignal; lastTry: boolean }): Promise<void>
  /** Marks a dataset whose message came too often, as when every try kills its process. */
  giveUp(dataset: string, reason: string): Promise<void>
  /** Told of what went wrong outside any dataset, such as a queue that cannot be read. */
  onError(error: unknown): void
}

const visibility = 60
const triesAfterErrors = 3

/** Builds datasets from the queue, one at a time, keeping each message out of others' sight while it works. */
export function startDatasetConsumer(needs: ConsumerNeeds): DatasetConsumer {
  const { queue, clock } = needs
  const stopping = new AbortController()
  const { signal } = stopping
  const finished = consume()

  async function consume(): Promise<void> {
    while (!signal.aborted) {
      try {
        await clearDeadLetters()
        const [message] = await queue.receive({ max: 1, wait: 5, visibility, signal })
        if (signal.aborted) {
          if (message !== undefined) await queue.extend(message.receipt, 0)
        } else if (message !== undefined) await handle(message)
      } catch (error) {
        if (isStop(error)) return
        needs.onError(error)
        await pause(1000)
      }
    }
  }

  function isStop(error: unknown): boolean {
    return signal.aborted && error instanceof Error && error.name === 'AbortError'
  }

  async function handle(message: IncomingMessage): Promise<void> {
    const { dataset } = datasetMessageSchema.parse(message.body)
    const beats = new AbortController()
    const beating = keepInvisible(message.receipt, beats.signal)
    let done = false
    try {
      await needs.build(dataset, { signal, lastTry: message.receives >= triesAfterErrors })
      done = true
    } catch (error) {
      // A message stands before its dataset does (see `create`); one whose dataset never came is dropped.
      const unknown = EspalierError.isInstance(error) && error.code === 'not_found'
      done = unknown && message.receives >= triesAfterErrors
      if (!unknown && !isStop(error)) needs.onError(error)
    } finally {
      beats.abort()
      await beating
    }
    if (!done && !signal.aborted) return queue.extend(message.receipt, 2 ** message.receives)
    // A fresh message, so that being stopped is not counted as a failed try.
    if (!done) await queue.send([{ body: { dataset }, group: message.group }])
    await queue.delete(message.receipt)
  }

  async function keepInvisible(receipt: string, beats: AbortSignal): Promise<void> {
    while (!beats.aborted) {
      await pause((visibility / 3) * 1000, beats)
      if (beats.aborted) return
      try {
        await queue.extend(receipt, visibility)
      } catch (error) {
        needs.onError(error)
      }
    }
  }

  async function clearDeadLetters(): Promise<void> {
    const messages = await queue.dead_letters.receive({ max: 10, wait: 0, visibility })
    for (const message of messages) {
      const { data } = datasetMessageSchema.safeParse(message.body)
      if (data === undefined) needs.onError(new Error('The queue held a message that names no dataset.'))
      else
        await needs.giveUp(data.dataset, 'The build was started again and again and never came to its end.')
      await queue.dead_letters.delete(message.receipt)
    }
  }

  async function pause(milliseconds: number, until: AbortSignal = signal): Promise<void> {
    try {
      await clock.sleep(milliseconds, until)
    } catch (error) {
      if (!until.aborted) throw error
    }
  }

  return {
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
