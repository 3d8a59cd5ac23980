import type { Clock, IncomingMessage, Queue } from './ports.ts'

export interface QueueConsumer {
  /** Returns the messages in progress to the queue, for the next consumer, and takes no more. Idempotent. */
  stop(): Promise<void>
}

export interface QueueConsumerNeeds {
  queue: Queue
  clock: Clock
  /** Does the work of a message. @returns true if the message is finished and may be deleted */
  take(message: IncomingMessage, signal: AbortSignal): Promise<boolean>
  bury(message: IncomingMessage): Promise<void>
  onError(error: unknown): void
  parallel?: number
}

const visibility = 60

export function startQueueConsumer(needs: QueueConsumerNeeds): QueueConsumer {
  const { queue, clock, take, bury, onError, parallel = 1 } = needs
  const stopping = new AbortController()
  const { signal } = stopping
  const finished = Promise.all(Array.from({ length: parallel }, (_, place) => consume(place === 0)))

  async function consume(buries: boolean): Promise<void> {
    while (!signal.aborted) {
      try {
        if (buries) await clearDeadLetters()
        const [message] = await queue.receive({ max: 1, wait: 5, visibility, signal })
        if (signal.aborted) {
          if (message !== undefined) await queue.extend(message.receipt, 0)
        } else if (message !== undefined) await handle(message)
      } catch (error) {
        if (isStop(error)) return
        onError(error)
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
      const done = await take(message, signal)
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
        onError(error)
      }
    }
  }

  async function clearDeadLetters(): Promise<void> {
    const messages = await queue.dead_letters.receive({ max: 10, wait: 0, visibility })
    for (const message of messages) {
      await bury(message)
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
