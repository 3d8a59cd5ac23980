import { Session } from 'node:inspector/promises'

/**
 * Collects the garbage of a start. V8 would keep it, tens of megabytes, until an idle process has filled its young
 * generation.
 */
export async function collectStart(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
