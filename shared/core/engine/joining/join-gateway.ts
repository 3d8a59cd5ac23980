import { EspalierError } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import { readFrame, writeFrame } from '../../world/joined/frame.ts'
import {
  type JoinedAnswer,
  type JoinedOperation,
  joinedCallsSchema,
  readOperation,
  toJoinedError,
} from '../../world/joined/joined-call.ts'
import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import type { Clock, Objects, Queue, QueueName } from '../../world/ports.ts'
import { Uploads } from './uploads.ts'

export interface JoinedWorker {
  name: string
  tenant: string
}

export interface JoinedPorts {
  objects: Objects
  ledger: RetriedLedger
  queues: Record<QueueName, Queue>
  tend(run: string): Promise<void>
}

export interface GatewayOptions {
  clock: Pick<Clock, 'now'>
  version: string
  portsOf(worker: JoinedWorker): JoinedPorts
  closing: AbortSignal
  onError(error: unknown, what: string): void
}

type Outcome = { answer: JoinedAnswer; body?: Uint8Array }

interface Asked {
  worker: JoinedWorker
  id: string
  again: boolean
  operation: JoinedOperation
  body: Uint8Array | null
  gone: AbortSignal
}

// Milliseconds for which an answer is kept for a worker that asks again: longer than one retries.
const keptFor = 120_000

const effects: ReadonlySet<JoinedOperation['op']> = new Set([
  ...(['put', 'remove', 'update', 'transact', 'send', 'receive', 'drop', 'hide', 'tend'] as const),
])

export class JoinGateway {
  readonly #options: GatewayOptions
  readonly #kept = new Map<string, { outcome: Promise<Outcome>; settledAt: number }>()
  readonly #waits = new Map<string, AbortController>()
  readonly #uploads = new Uploads()

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  /**
   * @param gone aborts when the worker's connection ends: messages then go back to their queue
   * @throws EspalierError `invalid_request` for bytes that are no calls
   */
  async answer(worker: JoinedWorker, bytes: Uint8Array, gone: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    this.#forgetOld()
    const { head, bodies } = readCalls(bytes)
    let next = 0
    const outcomes = await Promise.all(
      head.calls.map(({ id, call }) => {
        const body = hasBody(call) ? (bodies[next++] ?? null) : null
        return this.#outcome({ worker, id, again: head.again, body, gone }, call)
      }),
    )
    const sent: Uint8Array[] = []
    const answers = outcomes.map(({ answer, body }) => {
      if (body === undefined || 'error' in answer) return answer
      sent.push(body)
      return { ...answer, body: sent.length - 1 }
    })
    return writeFrame({ answers }, sent)
  }

  async #outcome(asked: Omit<Asked, 'operation'>, call: Json): Promise<Outcome> {
    let operation: JoinedOperation
    try {
      operation = readOperation(call)
    } catch (error) {
      return this.#failure(error, 'reading a worker’s operation')
    }
    const perform = () =>
      this.#perform({ ...asked, operation }).catch((error: unknown) =>
        this.#failure(error, `doing "${operation.op}" for ${asked.worker.name}`),
      )
    if (!effects.has(operation.op)) return perform()
    const name = `${asked.worker.name}/${asked.id}`
    const known = this.#kept.get(name)
    if (known !== undefined) return known.outcome
    const kept = { outcome: perform(), settledAt: Number.POSITIVE_INFINITY }
    this.#kept.set(name, kept)
    const outcome = await kept.outcome
    kept.settledAt = performance.now()
    if (asked.gone.aborted && operation.op === 'receive') this.#kept.delete(name)
    return outcome
  }

  #failure(error: unknown, doing: string): Outcome {
    const known = toJoinedError(error)
    if (known !== null) return { answer: { error: known } }
    this.#options.onError(error, doing)
    return {
      answer: { error: { code: 'internal', message: 'The service failed: see its log.', param: null } },
    }
  }

  async #perform(asked: Asked): Promise<Outcome> {
    const { worker, id, again, operation, body } = asked
    const { objects, ledger, queues, tend } = this.#options.portsOf(worker)
    const token = `${worker.name}/${id}`
    switch (operation.op) {
      case 'hello':
        return value({ now: this.#options.clock.now(), version: this.#options.version })
      case 'tend':
        return value(await tend(operation.run))
      case 'part':
        return value(this.#uploads.add(worker.name, operation, body ?? new Uint8Array()))
      case 'put': {
        const { key, options, upload } = operation
        const whole = upload === undefined ? body : this.#uploads.take(worker.name, upload)
        return value(await objects.put(key, whole ?? new Uint8Array(), options))
      }
      case 'get': {
        const found = await objects.get(operation.key, operation.range)
        if (found === null) return value(null)
        const { body: bytes, ...info } = found
        return { answer: { value: info as unknown as Json }, body: bytes }
      }
      case 'head':
        return value(await objects.head(operation.key))
      case 'list':
        return value(await objects.list(operation.prefix, operation.options))
      case 'remove':
        return value(await objects.delete(operation.key))
      case 'sign':
        return value(await objects.sign(operation.key, operation.options))
      case 'item':
        return value(await ledger.get(operation.key))
      case 'update':
        if (again && (await ledger.wasMade(token)))
          return value({ ok: true, item: await ledger.get(operation.change.key) })
        return value(await ledger.update(operation.change, token))
      case 'transact':
        if (again && (await ledger.wasMade(token))) return value({ ok: true })
        return value(await ledger.transact(operation.changes, token))
      case 'query':
        return value(await ledger.query(operation.partition, operation.options))
      case 'send':
        return value(await queues[operation.queue].send(operation.messages))
      case 'receive':
        return value(await this.#receive(asked, operation, queues[operation.queue]))
      case 'stop_waiting':
        this.#waits.get(`${worker.name}/${operation.call}`)?.abort()
        return value(null)
      case 'drop': {
        const queue = queues[operation.queue]
        return value(await (operation.dead ? queue.dead_letters : queue).delete(operation.receipt))
      }
      case 'hide':
        return value(await queues[operation.queue].extend(operation.receipt, operation.visibility))
    }
  }

  async #receive(
    { worker, id, gone }: Asked,
    { dead, max, wait, visibility }: Extract<JoinedOperation, { op: 'receive' }>,
    queue: Queue,
  ): Promise<unknown> {
    const name = `${worker.name}/${id}`
    const stopped = new AbortController()
    this.#waits.set(name, stopped)
    try {
      const signal = AbortSignal.any([gone, stopped.signal, this.#options.closing])
      const options = { max, wait: Math.min(wait, 20), visibility, signal }
      const messages = await (dead ? queue.dead_letters : queue).receive(options)
      if (!gone.aborted) return messages
      if (!dead) await Promise.all(messages.map(({ receipt }) => queue.extend(receipt, 0)))
      return []
    } finally {
      this.#waits.delete(name)
    }
  }

  #forgetOld(): void {
    const before = performance.now() - keptFor
    for (const [name, { settledAt }] of this.#kept) {
      if (settledAt > before) return
      this.#kept.delete(name)
    }
  }
}

// True if a `put` or `part` has its body behind the head; the body of an upload came in its parts.
function hasBody(call: Json): boolean {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return false
  return call.op === 'part' || (call.op === 'put' && call.upload === undefined)
}

function value(result: unknown): Outcome {
  return { answer: { value: (result ?? null) as Json } }
}

function readCalls(bytes: Uint8Array) {
  try {
    const { head, bodies } = readFrame(bytes)
    return { head: joinedCallsSchema.parse(head), bodies }
  } catch (cause) {
    throw new EspalierError('invalid_request', 'The body holds no operations of a worker.', { cause })
  }
}
