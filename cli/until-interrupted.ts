import { once } from 'node:events'
import type { Terminal } from './terminal.ts'

/** Waits for Ctrl-C or SIGTERM, which end servers. */
export async function untilInterrupted(terminal: Terminal): Promise<void> {
  const signal = terminal.interruption()
  if (!signal.aborted) await once(signal, 'abort')
}
