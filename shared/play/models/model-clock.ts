import { setTimeout as wait } from 'node:timers/promises'

export interface ModelClock {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Rejects with the signal's reason if it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const modelClock: ModelClock = {
  now: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}
