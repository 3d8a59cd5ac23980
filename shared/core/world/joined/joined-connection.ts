import { setImmediate as rest } from 'node:timers/promises'
import { EspalierError } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import { systemClock } from '../system-clock.ts'
import { worldClosed } from '../world-closed.ts'
import { readFrame, writeFrame } from './frame.ts'
import {
  fromJoinedError,
  type JoinedAnswer,
  type JoinedAnswers,
  type JoinedOperation,
  joinedPath,
  workerHeader,
} from './joined-call.ts'

export interface JoinedConnectionOptions {
  /** The service's address: https, or http on this machine. */
  address: string
  token: string
  worker: string
  /** Seconds for which failures that pass are retried. @default 60 */
  patience?: number
  onRefused?: (error: EspalierError) => void
  fetch?: (address: URL, init: RequestInit) => Promise<Response>
}

export interface Answered {
  value: Json
  body: Uint8Array | null
}

interface Call {
  id: string
  operation: JoinedOperation
  body: Uint8Array | null
  resolve(answer: Answered): void
  reject(error: unknown): void
}

const longestPause = 2000
const answerWithin = 45_000
const mostAtOnce = { calls: 100, bytes: 2_000_000 }

/**
 * Sends operations to the service, those of one moment in one request, and again with the same ids after failures that
 * pass. So the service makes each once.
 */
export class JoinedConnection {
  readonly #options: JoinedConnectionOptions
  readonly #url: URL
  readonly #fetch: (address: URL, init: RequestInit) => Promise<Response>
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #waiting: Call[] = []
  #refusal: EspalierError | null = null
  #calls = 0

  constructor(options: JoinedConnectionOptions) {
    this.#options = options
    this.#url = new URL(joinedPath, checkService(options.address))
    this.#fetch = options.fetch ?? fetch
  }

  call(operation: JoinedOperation, body: Uint8Array | null = null): Promise<Answered> {
    return this.#ask(operation, body).answered
  }

  async wait(operation: JoinedOperation, signal?: AbortSignal): Promise<Answered> {
    const { id, answered } = this.#ask(operation, null, true)
    const stop = () => void this.call({ op: 'stop_waiting', call: id }).catch(() => undefined)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await answered
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#underWay)
  }

  #ask(
    operation: JoinedOperation,
    body: Uint8Array | null,
    isAlone = false,
  ): { id: string; answered: Promise<Answered> } {
    this.#calls += 1
    const id = String(this.#calls)
    const answered = new Promise<Answered>((resolve, reject) => {
      const call = { id, operation, body, resolve, reject }
      if (this.#refusal !== null) reject(this.#refusal)
      else if (this.#closing.signal.aborted) reject(worldClosed())
      else if (isAlone) this.#track(this.#send([call]))
      else if (this.#waiting.push(call) === 1) this.#track(this.#sendWaiting())
    })
    return { id, answered }
  }

  async #sendWaiting(): Promise<void> {
    await rest()
    const calls = this.#waiting
    this.#waiting = []
    let batch: Call[] = []
    let bytes = 0
    for (const call of calls) {
      const size = call.body?.byteLength ?? 0
      if (batch.length === mostAtOnce.calls || (batch.length > 0 && bytes + size > mostAtOnce.bytes)) {
        this.#track(this.#send(batch))
        batch = []
        bytes = 0
      }
      batch.push(call)
      bytes += size
    }
    await this.#send(batch)
  }

  async #send(batch: readonly Call[]): Promise<void> {
    const deadline = performance.now() + (this.#options.patience ?? 60) * 1000
    for (let tries = 1; ; tries += 1) {
      try {
        const { answers, bodies } = await this.#post(batch, tries > 1)
        for (const [at, call] of batch.entries()) settle(call, answers[at], bodies)
        return
      } catch (error) {
        const isOver = this.#closing.signal.aborted || performance.now() >= deadline
        if (isLasting(error) || isOver) {
          this.#refuse(error)
          for (const { reject } of batch) reject(isLasting(error) ? error : this.#unreachable(error))
          return
        }
        const pause = Math.min(longestPause, 50 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random())
        await systemClock.sleep(pause, this.#closing.signal).catch(() => undefined)
      }
    }
  }

  async #post(
    batch: readonly Call[],
    again: boolean,
  ): Promise<{ answers: JoinedAnswer[]; bodies: Uint8Array[] }> {
    const calls = batch.map(({ id, operation }) => ({ id, call: operation }))
    const bodies = batch.flatMap(({ body }) => (body === null ? [] : [body]))
    const [{ operation }] = batch as [Call]
    const wait = operation.op === 'receive' ? operation.wait * 1000 : 0
    const { token, worker } = this.#options
    const answer = await this.#fetch(this.#url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        [workerHeader]: worker,
      },
      body: writeFrame({ again, calls }, bodies),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithin + wait),
    })
    if (!answer.ok) throw await refusalOf(answer)
    const frame = readFrame(new Uint8Array(await answer.arrayBuffer()))
    const { answers } = frame.head as JoinedAnswers
    if (answers.length !== batch.length) throw new TypeError('The service answered other calls.')
    return { answers, bodies: frame.bodies }
  }

  #refuse(error: unknown): void {
    if (!isRefusal(error) || this.#refusal !== null) return
    this.#refusal = error
    this.#options.onRefused?.(error)
  }

  #unreachable(cause: unknown): EspalierError {
    const why = cause instanceof Error ? cause.message : String(cause)
    return new EspalierError('storage_failed', `The service at ${this.#url.origin} does not answer: ${why}`, {
      cause,
    })
  }

  #track(sending: Promise<void>): void {
    const tracked = sending.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }
}

function settle({ resolve, reject }: Call, answer: JoinedAnswer | undefined, bodies: Uint8Array[]): void {
  if (answer === undefined || 'error' in answer)
    reject(fromJoinedError(answer?.error ?? { code: 'internal', message: 'No answer came.', param: null }))
  else
    resolve({ value: answer.value, body: answer.body === undefined ? null : (bodies[answer.body] ?? null) })
}

export async function refusalOf(answer: Response): Promise<Error> {
  const text = await answer.text().catch(() => '')
  const passes = answer.status >= 500 || answer.status === 408 || answer.status === 429
  if (passes) return new Error(`HTTP ${answer.status}`)
  try {
    const { error } = JSON.parse(text) as { error: Parameters<typeof fromJoinedError>[0] }
    return fromJoinedError(error)
  } catch {
    return new EspalierError(
      'invalid_state',
      `It answered HTTP ${answer.status}, which no Espalier sends here.`,
    )
  }
}

function isLasting(error: unknown): error is EspalierError {
  return EspalierError.isInstance(error)
}

function isRefusal(error: unknown): error is EspalierError {
  return isLasting(error) && (error.status === 401 || error.status === 403)
}

export function checkService(address: string): URL {
  const url = URL.parse(address)
  if (url !== null && url.protocol === 'https:') return url
  const isHere = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'http:' && isHere) return url
  throw new EspalierError(
    'invalid_request',
    `"${address}" is no address to join: a token goes over https:// only. Put a proxy with TLS before the service, or a tunnel that ends on this machine.`,
    { param: 'join' },
  )
}
