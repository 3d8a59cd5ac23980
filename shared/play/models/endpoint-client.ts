import type { OpenAI } from 'openai'
import type { HttpEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import type { Reservation, UpperBound } from '../../core/contracts/meter.ts'
import type { TokensAndCost } from '../../core/contracts/usage.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { AdaptiveLimiter, SlotOutcome } from './adaptive-limiter.ts'
import type { AddressPool } from './address-pool.ts'
import { adviceFor } from './call-advice.ts'
import { type CallFailure, failureOf, readCallFailure, unreadable } from './call-failure.ts'
import type { CallOptions } from './chat-model.ts'
import type { EndpointKey } from './endpoint-key.ts'
import type { KeySource } from './keys/key-source.ts'
import type { ModelClock } from './model-clock.ts'
import { ModelError } from './model-error.ts'
import { findNoAnswer } from './no-answer.ts'
import { callIdHeader, keyHeader } from './openai-client.ts'
import type { EndpointRate } from './rates/endpoint-rate.ts'
import type { Units } from './rates/quota.ts'
import { longestWait, retryDelay } from './retry-policy.ts'

export interface EndpointClientParts {
  endpoint: string
  addresses: AddressPool<OpenAI>
  /** null: no limit of concurrent calls. */
  limiter: AdaptiveLimiter | null
  /** null: no limit per minute. */
  rate: EndpointRate | null
  /** null: calls carry no key, or the client adds one. */
  keys: KeySource | null
  kind: HttpEndpoint['kind']
  maxRetries: number
  clock: ModelClock
  /** Returns true if the call with this id reached `fetch`; ask exactly once for each finished call. */
  takeDispatched: (callId: string) => boolean
}

export interface SendOptions {
  headers: Record<string, string>
  signal?: AbortSignal
}

/** An answer and its usage, or the fault in it; `transient` if a retry may help. */
export type ReadAnswer<Answer> =
  | { answer: Answer; spent: TokensAndCost }
  | { wrong: string; transient?: boolean; advice?: string }

export interface EndpointRequest<Answer> {
  model: string
  bound: UpperBound
  send(client: OpenAI, options: SendOptions): Promise<unknown>
  read(body: unknown): ReadAnswer<Answer>
  /** The answer that a refusal stands for, if the model refused; null for a failure. */
  readRefusal?(failure: CallFailure): { answer: Answer; spent: TokensAndCost } | null
  /** The request to send in place of a refused one, if the refusal shows how; null: none. */
  instead?(failure: CallFailure): EndpointRequest<Answer> | null
  advise?(failure: CallFailure): string | null
}

type Outcome<Answer> =
  | { answer: Answer; spent: TokensAndCost }
  | { failure: CallFailure; key: EndpointKey | null }

const nothing: Units = { requests: 0, tokens: 0 }

/**
 * Sends requests to an OpenAI-compatible endpoint, over the `openai` package. Every HTTP request waits for its slot
 * and its share of the rate. The meter reserves its cost, and then settles, releases or loses it exactly once.
 * Retries are separate requests.
 */
export class EndpointClient {
  readonly #parts: EndpointClientParts

  constructor(parts: EndpointClientParts) {
    this.#parts = parts
  }

  /**
   * @throws ModelError when the endpoint refuses, or stays unreachable or overloaded through all retries.
   * @throws The signal's reason when it aborts, and the meter's own errors unchanged.
   */
  async send<Answer>(first: EndpointRequest<Answer>, options: CallOptions): Promise<Answer> {
    let request = first
    let keyReplaced = false
    const maxRetries = options.maxRetries ?? this.#parts.maxRetries
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#try(request, options)
      if ('answer' in outcome) return outcome.answer
      const { failure, key } = outcome
      if (failure.status === 401 && key !== null && !keyReplaced) {
        keyReplaced = (await this.#parts.keys?.replaces(key)) === true
        if (keyReplaced) continue
      }
      const other = request.instead?.(failure) ?? null
      if (other !== null) {
        request = other
        continue
      }
      if (!failure.transient || attempt >= maxRetries) throw this.#error(failure, request, attempt)
      const elsewhere = failure.unreachable && this.#parts.addresses.reachable
      const delay = elsewhere ? 0 : retryDelay(attempt, failure.headers)
      if (delay > longestWait) throw this.#error(failure, request, attempt)
      const next = `try ${attempt + 1} of ${maxRetries + 1}, next in ${Math.ceil(delay / 1000)} s`
      options.meter.troubled?.(`${this.#describe(failure)}; ${next}`)
      await this.#parts.clock.sleep(delay, options.signal)
    }
  }

  async #try<Answer>(request: EndpointRequest<Answer>, options: CallOptions): Promise<Outcome<Answer>> {
    const { keys, limiter } = this.#parts
    const slot = await limiter?.acquire(options.signal)
    let outcome: SlotOutcome = 'failed'
    try {
      const key = (await keys?.current()) ?? null
      const sent = await this.#sendInTurn(request, key, options)
      if ('failure' in sent) {
        if (sent.failure.rateLimited) outcome = 'rate_limited'
      } else outcome = 'answered'
      return sent
    } finally {
      slot?.release(outcome)
    }
  }

  /** Waits for the rate last, so that a permit is used immediately. */
  async #sendInTurn<Answer>(
    request: EndpointRequest<Answer>,
    key: EndpointKey | null,
    { meter, signal }: CallOptions,
  ): Promise<Outcome<Answer>> {
    const { bound } = request
    const permit = await this.#parts.rate?.acquire(bound.tokens, signal)
    let taken = nothing
    try {
      const reservation = await meter.reserve(bound)
      taken = { requests: 1, tokens: bound.tokens }
      const sent = await this.#send(request, key, reservation, signal)
      taken = takenBy(sent, bound)
      if ('answer' in sent) await reservation.settle(sent.spent)
      return sent
    } finally {
      permit?.settle(taken)
    }
  }

  /** Sends one request. Leaves the reservation open if an answer came; otherwise releases or loses it. */
  async #send<Answer>(
    request: EndpointRequest<Answer>,
    key: EndpointKey | null,
    reservation: Reservation,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Answer>> {
    if (signal?.aborted) {
      await reservation.release()
      throw signal.reason
    }
    const lease = this.#parts.addresses.lend()
    let unreachable = false
    try {
      const body = await request.send(lease.client, {
        headers: {
          ...(key === null ? {} : keyHeader(this.#parts.kind, key)),
          [callIdHeader]: reservation.id,
        },
        ...(signal === undefined ? {} : { signal }),
      })
      this.#parts.takeDispatched(reservation.id)
      const none = findNoAnswer(body)
      const read: ReadAnswer<Answer> = none === null ? request.read(body) : { wrong: none, transient: true }
      if ('answer' in read) return read
      await reservation.lose()
      return { failure: unreadable(read.wrong, read), key }
    } catch (error) {
      const failure = readCallFailure(error, this.#parts.takeDispatched(reservation.id))
      unreachable = failure.unreachable
      const refusal = request.readRefusal?.(failure) ?? null
      if (refusal !== null) return refusal
      if (failure.paid) await reservation.lose()
      else await reservation.release()
      if (signal?.aborted) throw signal.reason
      return { failure, key }
    } finally {
      lease.release(unreachable ? 'unreachable' : 'reached')
    }
  }

  #error(failure: CallFailure, request: EndpointRequest<unknown>, attempt: number): ModelError {
    const tries = attempt === 0 ? '' : ` after ${attempt + 1} tries`
    const advice = failure.advice ?? request.advise?.(failure) ?? adviceFor(failure, request.model)
    return new ModelError(`${asSentence(this.#describe(failure, tries))} ${advice}`, {
      transient: failure.transient,
      endpointStatus: failure.status,
      failure: failureOf(failure),
    })
  }

  #describe(failure: CallFailure, tries = ''): string {
    const { endpoint, keys } = this.#parts
    const status = failure.status === null ? '' : ` with status ${failure.status}`
    const said = shorten(keys?.redact(failure.said) ?? failure.said)
    return `The endpoint "${endpoint}" failed${status}${tries}: ${said.replace(/[.]$/, '')}`
  }
}

/** The rate that a request used: a refused one counts, one that never arrived does not. */
function takenBy(sent: Outcome<unknown>, { tokens }: UpperBound): Units {
  if ('answer' in sent) return { requests: 1, tokens: sent.spent.input_tokens + sent.spent.output_tokens }
  if (sent.failure.paid) return { requests: 1, tokens }
  return sent.failure.status === null ? nothing : { requests: 1, tokens: 0 }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 300 ? line : `${clipText(line, 300)}…`
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
