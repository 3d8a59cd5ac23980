import type { ApiClient } from '../shared/client/api-client.ts'
import type { Run, RunStatus } from '../shared/contracts/run.ts'
import type { RunEvent } from '../shared/contracts/run-event.ts'

export interface RunWatcher {
  /** Breaks off. */
  signal: AbortSignal
  /** The current run, at first and whenever it has changed. */
  onProgress?(run: Run): void
  /** Every event of the run, from its first on. */
  onEvent?(event: RunEvent): void
}

const restful: readonly RunStatus[] = ['paused', 'succeeded', 'failed', 'cancelled']

/** Watches a run until nothing more happens to it by itself: it has ended, or it is paused. */
export async function followRun(
  client: Pick<ApiClient, 'run' | 'events'>,
  id: string,
  watcher: RunWatcher,
): Promise<Run> {
  let run = await client.run(id)
  watcher.onProgress?.(run)
  if (restful.includes(run.status) && watcher.onEvent === undefined) return run
  for await (const message of client.events(id, { signal: watcher.signal })) {
    if ('event' in message) watcher.onEvent?.(message.event)
    else if ('run' in message) {
      run = message.run
      watcher.onProgress?.(run)
      // A run is shown after the events that led to it, so that a pause of long ago, in the events, is none.
      if (restful.includes(run.status)) return run
    } else break
  }
  return client.run(id)
}
