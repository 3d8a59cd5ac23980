import type { ErrorBody } from '../contracts/error-body.ts'
import type { GroupEvent, RolloutRun } from '../contracts/rollout.ts'
import type { Run } from '../contracts/run.ts'
import type { RunEvent } from '../contracts/run-event.ts'
import { ApiError } from './api-error.ts'
import { ConnectionError } from './connection-error.ts'
import type { Transport } from './transport.ts'

export type RunMessage = { event: RunEvent } | { run: Run } | { end: true }
export type RolloutMessage = { event: GroupEvent } | { rollout: RolloutRun } | { end: true }

export interface FollowOptions {
  signal: AbortSignal
  /** Resume after the event with this sequence number. @default from the first event */
  after?: number
  /** Milliseconds of reconnecting a broken stream before giving up. @default 30000 */
  patience?: number
  onConnection?: (isConnected: boolean) => void
}

/**
 * Reads an event stream. A stream that ends or breaks is reopened at its position, so that every event
 * comes once. It ends only when the caller stops reading or the signal aborts.
 */
export async function* followEvents<Message extends object>(
  transport: Transport,
  path: string,
  read: (message: ServerSentEvent) => Message | null,
  { signal, after, patience = 30_000, onConnection = () => {} }: FollowOptions,
): AsyncGenerator<Message> {
  let last: string | null = after === undefined ? null : String(after)
  let brokenSince: number | null = null
  let delay = 100
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream' }
      if (last !== null) headers['Last-Event-ID'] = last
      const response = await transport.send('GET', path, { headers, signal })
      if (response.body === null) throw new ConnectionError('The event stream was empty.')
      onConnection(true)
      // A body may ignore the signal of its request.
      const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
      for await (const message of readServerSentEvents(body)) {
        last = message.id ?? last
        const parsed = read(message)
        brokenSince = null
        delay = 100
        if (parsed !== null) yield parsed
      }
      brokenSince = null
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error)) throw error
      onConnection(false)
      brokenSince ??= performance.now()
      if (performance.now() - brokenSince > patience) throw error
    }
    await sleep(delay, signal)
    delay = Math.min(2000, delay * 2)
  }
}

export function readRollout({ event, data }: Pick<ServerSentEvent, 'event' | 'data'>): RolloutMessage | null {
  if (event === 'group.finished') return { event: JSON.parse(data) as GroupEvent }
  if (event === 'rollout') return { rollout: JSON.parse(data) as RolloutRun }
  return readEnd({ event, data })
}

export function readRun({ event, data }: Pick<ServerSentEvent, 'event' | 'data'>): RunMessage | null {
  switch (event) {
    case 'run':
      return { run: JSON.parse(data) as Run }
    case 'run.status':
    case 'run.problem':
    case 'episode.ended':
      return { event: JSON.parse(data) as RunEvent }
    default:
      return readEnd({ event, data })
  }
}

function readEnd({ event, data }: Pick<ServerSentEvent, 'event' | 'data'>): { end: true } | null {
  if (event === 'error') throw new ApiError(500, (JSON.parse(data) as ErrorBody).error)
  return event === 'end' ? { end: true } : null
}

/** A broken stream (`fetch` throws a TypeError for one) and a service in trouble may recover. A refusal does not. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) {
    const isInTrouble = error.status >= 500 || error.status === 408 || error.status === 429
    return isInTrouble && error.code !== 'damaged_object'
  }
  return error instanceof ConnectionError || error instanceof TypeError
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}

export interface ServerSentEvent {
  id: string | null
  event: string
  data: string
}

/**
 * Reads a `text/event-stream` body as the HTML standard specifies: any line ending, data over several lines, comments
 * and unknown fields ignored, and no event for an incomplete last block.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let id: string | null = null
  let event = ''
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(body)) {
    rest += decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be the first half of a line ending whose second half is still to come.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Not every browser iterates over streams. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}
