import type { ApiClient } from '../shared/core/client/api-client.ts'
import type { Run, RunStatus } from '../shared/core/contracts/run.ts'
import type { RunEvent } from '../shared/core/contracts/run-event.ts'

export interface RunWatcher {
  signal: AbortSignal
  onProgress?(run: Run): void
  onEvent?(event: RunEvent): void
}

const restful: readonly RunStatus[] = ['paused', 'succeeded', 'failed', 'cancelled']

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
      // Report the run after its events, so that an old pause among them does not count.
      if (restful.includes(run.status)) return run
    } else break
  }
  return client.run(id)
}
