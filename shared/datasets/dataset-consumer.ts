import type { Clock, IncomingMessage } from '../world/ports.ts'
import {
  type BuilderNeeds,
  datasetMessageSchema,
  neverEnded,
  takeDatasetMessage,
} from './take-dataset-message.ts'

export interface DatasetConsumer {
  /** Gives back what is being built, to be continued by the next consumer, and takes nothing more. Idempotent. */
  stop(): Promise<void>
}

export interface ConsumerNeeds extends BuilderNeeds {
  clock: Clock
}

const visibility = 60

/** Builds datasets from the queue, a piece at a time, keeping each message out of others' sight while it works. */
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
    const beats = new AbortController()
    const beating = keepInvisible(message.receipt, beats.signal)
    try {
      const done = await takeDatasetMessage(needs, message, signal)
      if (done) await queue.delete(message.receipt)
    } finally {
      beats.abort()
      await beating
    }
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
      else await needs.giveUp(data.dataset, neverEnded)
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
