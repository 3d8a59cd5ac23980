import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Uptime } from './ports.ts'

/** The steady clock of this machine, which all its processes share: setting the date does not affect it. */
export function systemUptime(): Uptime {
  return { of: machine, milliseconds: Number(process.hrtime.bigint() / 1_000_000n) }
}

/** Each start of Linux has an id. Elsewhere each process has a clock of its own. */
const machine = readBootId() ?? randomUUID()

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
