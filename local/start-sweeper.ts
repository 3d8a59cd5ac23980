import { setTimeout as delay } from 'node:timers/promises'

export interface Sweeper {
  /** Waits for the sweep under way; none follows. Idempotent. */
  stop(): Promise<void>
}

/** Does the work again and again, `every` milliseconds after it was last done. In the cloud EventBridge does the same. */
export function startSweeper(
  work: () => Promise<void>,
  options: { every: number; onError: (error: unknown) => void },
): Sweeper {
  const stopping = new AbortController()
  const { signal } = stopping

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      try {
        await delay(options.every, undefined, { signal })
        await work()
      } catch (error) {
        if (!signal.aborted) options.onError(error)
      }
    }
  }

  const finished = repeat()
  return {
    stop() {
      stopping.abort()
      return finished
    },
  }
}
