import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, Uptime } from './ports.ts'

/** Each start of Linux has an id. Elsewhere each process has a clock of its own. */
const machine = readBootId() ?? randomUUID()

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

/** The steady clock of this machine, which all its processes share: setting the date does not affect it. */
function systemUptime(): Uptime {
  return { of: machine, milliseconds: Number(process.hrtime.bigint() / 1_000_000n) }
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
