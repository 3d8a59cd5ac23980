import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorBody } from '../shared/contracts/errors.ts'
import type { Run } from '../shared/contracts/run.ts'
import type { RunEvent } from '../shared/contracts/run-event.ts'
import { ApiError } from './api-error.ts'
import type { Transport } from './api-transport.ts'
import { interrupted } from './command-error.ts'
import { ConnectionError } from './connection-error.ts'
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

/** What a run's event stream tells: an event, the run as it stands now, or that it has ended and all was told. */
export type RunMessage = { event: RunEvent } | { run: Run } | { end: true }

/** How long a broken stream is opened again before it is given up, in milliseconds. */
const patience = 30_000

/**
 * Reads the event stream of a run. A stream that ends or breaks is opened again where it stopped, so that every event
 * comes once, for as long as the caller reads.
 */
export async function* followEvents(needs: {
  transport: Transport
  address: string
  path: string
  signal: AbortSignal
}): AsyncGenerator<RunMessage> {
  const { transport, address, path, signal } = needs
  let last: string | null = null
  let brokenSince: number | null = null
  let delay = 100
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream' }
      if (last !== null) headers['Last-Event-ID'] = last
      const response = await transport.send('GET', path, { headers, signal })
      if (response.body === null) throw new ConnectionError(address, new Error('an empty event stream'))
      // A body out of this process does not know the signal that went with its request.
      const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
      for await (const message of readServerSentEvents(body)) {
        last = message.id ?? last
        brokenSince = null
        delay = 100
        const told = read(message)
        if (told !== null) yield told
      }
      brokenSince = null
    } catch (error) {
      if (signal.aborted) break
      if (!mayPass(error)) throw error
      brokenSince ??= performance.now()
      if (performance.now() - brokenSince > patience) throw error
    }
    await sleep(delay, undefined, { signal }).catch(ignoreAbort)
    delay = Math.min(2000, delay * 2)
  }
  throw interrupted()
}

function read({ event, data }: ServerSentEvent): RunMessage | null {
  switch (event) {
    case 'run':
      return { run: JSON.parse(data) as Run }
    case 'run.status':
    case 'episode.ended':
      return { event: JSON.parse(data) as RunEvent }
    case 'end':
      return { end: true }
    case 'error':
      throw new ApiError(500, (JSON.parse(data) as ErrorBody).error)
    default:
      return null
  }
}

/** A broken stream (`fetch` throws a TypeError for one) and a service in trouble may recover; a refusal does not. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500
  return error instanceof ConnectionError || error instanceof TypeError
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error
}
