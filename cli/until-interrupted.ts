import { once } from 'node:events'
import type { Terminal } from './terminal.ts'

export async function untilInterrupted(terminal: Terminal): Promise<void> {
  const signal = terminal.interruption()
  if (!signal.aborted) await once(signal, 'abort')
}
