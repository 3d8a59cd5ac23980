import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './ports.ts'
import { systemUptime } from './system-uptime.ts'

/** Node fires longer timers immediately. */
export const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: systemUptime,
  async sleep(milliseconds, signal) {
    let left = milliseconds
    do {
      signal?.throwIfAborted()
      const part = Math.min(left, longestTimer)
      await wait(part, undefined, signal && { signal }).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : error
      })
      left -= part
    } while (left > 0)
  },
}
