import { createHash } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ApiApp } from '../../functions/api/api-app.ts'
import { errorFields, type Log } from '../../functions/api/log.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { loopTurns } from '../../shared/core/world/local/loop-turns.ts'
import type { ReadAnswer, ReadRequest } from './reader-messages.ts'
import type { ReaderThread } from './reader-thread.ts'

const largeReads: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/v1\/runs$/],
  ['GET', /^\/v1\/runs\/[^/]+\/(?!events$).+$/],
  ['GET', /^\/v1\/reports\/success$/],
  ['POST', /^\/v1\/reports\/[^/]+$/],
  ['GET', /^\/v1\/experiments$/],
  ['GET', /^\/v1\/transcripts$/],
  ['GET', /^\/metrics$/],
]
const largestBody = 1_000_000
/** Milliseconds of a large read in this thread from which a reader is worth its memory. */
const slowRead = 50

/**
 * Answers requests as the app does, but lets a thread answer large reads. The thread starts after the first slow
 * read. Until it is ready, and if it cannot start, this thread answers everything. Callers take turns, and equal
 * requests that wait share an answer.
 */
export function readElsewhere(
  app: Pick<ApiApp, 'fetch'>,
  reader: Pick<ReaderThread, 'isReady' | 'read' | 'start'>,
  log: Log,
): Pick<ApiApp, 'fetch'> {
  const shared = new SharedReads<ReadAnswer>()

  async function read(request: Request, caller: string, bindings?: HttpBindings): Promise<Response> {
    const { headers, method, url } = request
    try {
      const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
      const asked = { method, url, headers: [...headers], body, caller }
      const answer = await shared.ask(keyOf(asked), () => reader.read(asked))
      return send(answer, bindings)
    } catch (error) {
      log({
        level: 'error',
        event: 'request.failed',
        method,
        path: new URL(url).pathname,
        ...errorFields(error),
      })
      const shown = EspalierError.isInstance(error)
        ? error
        : new EspalierError('internal', 'The request failed. The log of the service says why.')
      return Response.json(shown.toBody(), { status: shown.status })
    }
  }

  async function readHere(answer: () => Response | Promise<Response>): Promise<Response> {
    const began = performance.now()
    const answered = await answer()
    if (performance.now() - began > slowRead) void reader.start()
    return answered
  }

  return {
    fetch(request, ...given) {
      const bindings = given[0] as HttpBindings | undefined
      const caller = callerOf(request, bindings)
      const answer = () => loopTurns.as(caller, () => app.fetch(request, ...given))
      if (!isLargeRead(request.method, new URL(request.url).pathname)) return answer()
      return reader.isReady && isShort(request) ? read(request, caller, bindings) : readHere(answer)
    },
  }
}

/** Gives the body to the connection as it is: a Response copies each of a large read's bytes twice. */
function send({ body, headers, status }: ReadAnswer, bindings: HttpBindings | undefined): Response {
  if (bindings === undefined) return new Response(body as Uint8Array<ArrayBuffer>, { headers, status })
  const { outgoing } = bindings
  const length = body.byteLength > 0 ? ['Content-Length', String(body.byteLength)] : []
  if (!outgoing.destroyed) outgoing.writeHead(status, [...headers.flat(), ...length]).end(body)
  return RESPONSE_ALREADY_SENT
}

function keyOf({ body, headers, method, url }: ReadRequest): string {
  const digest = body === null ? '' : createHash('sha256').update(body).digest('hex')
  return JSON.stringify([method, url, headers, digest])
}

function isShort({ body, headers }: Request): boolean {
  return body === null || Number(headers.get('Content-Length') ?? Number.POSITIVE_INFINITY) <= largestBody
}

function callerOf(request: Request, bindings: HttpBindings | undefined): string {
  return request.headers.get('Authorization') ?? bindings?.incoming?.socket?.remoteAddress ?? ''
}

export function isLargeRead(method: string, path: string): boolean {
  return largeReads.some(([allowed, pattern]) => method === allowed && pattern.test(path))
}

interface Running<Answer> {
  ended: Promise<void>
  next: Promise<Answer> | null
}

/**
 * Lets equal reads that wait share one answer. A read joins only one that has not begun, so it sees every change that
 * was made before it was asked.
 */
export class SharedReads<Answer> {
  readonly #running = new Map<string, Running<Answer>>()

  ask(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(key)
    if (running === undefined) return this.#begin(key, read)
    running.next ??= running.ended.then(() => this.#begin(key, read))
    return running.next
  }

  #begin(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const answer = read()
    const settled = () => {
      if (running.next === null) this.#running.delete(key)
    }
    const running: Running<Answer> = { ended: answer.then(settled, settled), next: null }
    this.#running.set(key, running)
    return answer
  }
}
