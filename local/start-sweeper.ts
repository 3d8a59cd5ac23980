import { setTimeout as delay } from 'node:timers/promises'

export interface Sweeper {
  stop(): Promise<void>
}

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
