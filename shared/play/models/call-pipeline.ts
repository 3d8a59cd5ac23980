import type { Reservation, UpperBound } from '../../core/contracts/meter.ts'
import type { TokensAndCost } from '../../core/contracts/usage.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { AdaptiveLimiter, Slot, SlotOutcome } from './adaptive-limiter.ts'
import type { AddressPool } from './address-pool.ts'
import { adviceFor } from './call-advice.ts'
import {
  type CallFailure,
  failureOf,
  readCallFailure,
  readStatusFailure,
  unreadable,
} from './call-failure.ts'
import type { CallOptions } from './chat-model.ts'
import type { DecodingFault, WireCall } from './codec.ts'
import type { EndpointAddress } from './endpoint-addresses.ts'
import type { EndpointKey } from './endpoint-key.ts'
import type { KeySource } from './keys/key-source.ts'
import type { Later } from './later.ts'
import type { ModelClock } from './model-clock.ts'
import { ModelError } from './model-error.ts'
import { findNoAnswer } from './no-answer.ts'
import type { EndpointRate, Permit } from './rates/endpoint-rate.ts'
import type { Units } from './rates/quota.ts'
import { longestWait, retryDelay } from './retry-policy.ts'
import { isEventStream, readStreamEvents, type StreamEvents } from './streams/read-stream-events.ts'
import { isUnknownModel, suggestModel } from './suggest-model.ts'
import { callIdHeader, type ModelTransport, parseBody, type WireAnswer } from './transport.ts'

export interface PipelineParts {
  endpoint: string
  addresses: AddressPool<EndpointAddress>
  transport: Pick<ModelTransport, 'send'>
  limiter: AdaptiveLimiter | null
  rate: EndpointRate | null
  /** null: calls carry no key, or their address adds one. */
  keys: KeySource | null
  maxRetries: number
  models: readonly string[]
  clock: ModelClock
}

export interface PricedAnswer<Answer> {
  answer: Answer
  spent: TokensAndCost
}

export type ReadAnswer<Answer> = PricedAnswer<Answer> | DecodingFault

export interface PipelineCall<Answer> {
  model: string
  bound: UpperBound
  encode(): Later<WireCall>
  read(body: unknown): ReadAnswer<Answer>
  assemble?(events: StreamEvents): { body: unknown } | DecodingFault
  /** The answer that a refusal stands for, if the model refused; null for a failure. */
  readRefusal?(failure: CallFailure): PricedAnswer<Answer> | null
  adapts?(failure: CallFailure): boolean
  advise?(failure: CallFailure): string | null
}

interface Turn {
  slot: Slot | undefined
  permit: Permit | undefined
  key: EndpointKey | null
}

type Sent = { answer: WireAnswer } | { failure: CallFailure }
type Outcome<Answer> = PricedAnswer<Answer> | { failure: CallFailure }

const nothing: Units = { requests: 0, tokens: 0 }

/**
 * The path of every model call. One try passes five stages, each a method here:
 *
 * 1. limit: waits for a slot among the concurrent calls, the key, and a share of the rate;
 * 2. reserve: reserves the upper bound of its cost in the meter;
 * 3. send: encodes the request and sends its bytes to one of the endpoint's addresses;
 * 4. read: decodes and prices the answer, or describes the failure;
 * 5. settle: settles, releases or loses the reservation, exactly once.
 *
 * A retry is a separate try, after the wait that the endpoint asks for.
 */
export class CallPipeline {
  readonly #parts: PipelineParts

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  /**
   * @throws ModelError when the endpoint refuses, or stays unreachable or overloaded through all retries.
   * @throws The signal's reason when it aborts, and the meter's own errors unchanged.
   */
  async ask<Answer>(call: PipelineCall<Answer>, options: CallOptions): Promise<Answer> {
    const { addresses, clock, keys } = this.#parts
    const maxRetries = options.maxRetries ?? this.#parts.maxRetries
    let keyReplaced = false
    for (let attempt = 0; ; attempt++) {
      const { key, outcome } = await this.#try(call, options)
      if ('answer' in outcome) return outcome.answer
      const { failure } = outcome
      if (failure.status === 401 && key !== null && !keyReplaced) {
        keyReplaced = (await keys?.replaces(key)) === true
        if (keyReplaced) continue
      }
      if (call.adapts?.(failure)) continue
      if (!failure.transient || attempt >= maxRetries) throw await this.#error(failure, call, attempt)
      const elsewhere = failure.unreachable && addresses.reachable
      const delay = elsewhere ? 0 : retryDelay(attempt, failure.headers)
      if (delay > longestWait) throw await this.#error(failure, call, attempt)
      const next = `try ${attempt + 1} of ${maxRetries + 1}, next in ${Math.ceil(delay / 1000)} s`
      options.meter.troubled?.(`${this.#describe(failure)}; ${next}`)
      await clock.sleep(delay, options.signal)
    }
  }

  /**
   * Sends one request beside the calls, which is free: no money is reserved and nothing is retried.
   *
   * @throws Error without a readable answer of status 2xx
   */
  async askFree(wire: WireCall, signal?: AbortSignal): Promise<unknown> {
    const { addresses, keys, transport } = this.#parts
    const lease = addresses.lend()
    try {
      const key = (await keys?.current()) ?? null
      const { url, headers } = await lease.client.address(wire, { key, callId: '' })
      // No call log knows this request.
      const { [callIdHeader]: _, ...sent } = headers
      const body = JSON.stringify(wire.body)
      const answer = await transport.send({ url, headers: sent, body, ...(signal && { signal }) })
      if (answer.status < 200 || answer.status >= 300) throw new Error(`status ${answer.status}`)
      return parseBody(answer)
    } finally {
      lease.release('reached')
    }
  }

  async #try<Answer>(
    call: PipelineCall<Answer>,
    { affinity, meter, signal }: CallOptions,
  ): Promise<{ key: EndpointKey | null; outcome: Outcome<Answer> }> {
    const turn = await this.#limit(call, signal)
    let slot: SlotOutcome = 'failed'
    let taken = nothing
    try {
      const reservation = await meter.reserve(call.bound)
      taken = { requests: 1, tokens: call.bound.tokens }
      const sent = await this.#send(call, turn.key, { affinity, reservation, signal })
      const outcome = this.#read(call, sent)
      taken = takenBy(outcome, call.bound)
      if ('answer' in outcome) slot = 'answered'
      else if (outcome.failure.rateLimited) slot = 'rate_limited'
      await this.#settle(reservation, outcome)
      if ('failure' in outcome) signal?.throwIfAborted()
      return { key: turn.key, outcome }
    } finally {
      turn.permit?.settle(taken)
      turn.slot?.release(slot)
    }
  }

  /** Waits for the rate last, so that a permit is used immediately. */
  async #limit({ bound }: PipelineCall<unknown>, signal: AbortSignal | undefined): Promise<Turn> {
    const { keys, limiter, rate } = this.#parts
    const slot = await limiter?.acquire(signal)
    try {
      const key = (await keys?.current()) ?? null
      return { slot, key, permit: await rate?.acquire(bound.tokens, signal) }
    } catch (error) {
      slot?.release('failed')
      throw error
    }
  }

  /** @throws the signal's reason if it aborted before anything was sent */
  async #send(
    call: PipelineCall<unknown>,
    key: EndpointKey | null,
    {
      affinity,
      reservation,
      signal,
    }: { affinity: string | undefined; reservation: Reservation; signal: AbortSignal | undefined },
  ): Promise<Sent> {
    if (signal?.aborted) {
      await reservation.release()
      throw signal.reason
    }
    const lease = this.#parts.addresses.lend(affinity)
    let dispatched = false
    let reach: Parameters<typeof lease.release>[0] = 'reached'
    try {
      const wire = await call.encode()
      const to = await lease.client.address(wire, { key, callId: reservation.id })
      const body = JSON.stringify(wire.body)
      dispatched = true
      const answer = await this.#parts.transport.send({ ...to, body, ...(signal && { signal }) })
      if (answer.status >= 500) reach = 'failing'
      return { answer }
    } catch (error) {
      const failure = readCallFailure(error, dispatched)
      if (failure.unreachable) reach = 'unreachable'
      else if (dispatched && !signal?.aborted) reach = 'failing'
      return { failure }
    } finally {
      lease.release(reach)
    }
  }

  #read<Answer>(call: PipelineCall<Answer>, sent: Sent): Outcome<Answer> {
    if ('failure' in sent) return sent
    const { status } = sent.answer
    if (status < 200 || status >= 300) {
      const failure = readStatusFailure(sent.answer)
      return call.readRefusal?.(failure) ?? { failure }
    }
    try {
      const whole = readWhole(sent.answer, call)
      const none = 'body' in whole ? findNoAnswer(whole.body) : null
      const read: ReadAnswer<Answer> =
        none !== null ? { ...none, transient: true } : 'body' in whole ? call.read(whole.body) : whole
      return 'answer' in read ? read : { failure: unreadable(read.wrong, read) }
    } catch (error) {
      const failure = readCallFailure(error, error instanceof SyntaxError)
      return { failure: { ...failure, paid: true } }
    }
  }

  async #settle(reservation: Reservation, outcome: Outcome<unknown>): Promise<void> {
    if ('answer' in outcome) await reservation.settle(outcome.spent)
    else if (outcome.failure.paid) await reservation.lose()
    else await reservation.release()
  }

  async #error(failure: CallFailure, call: PipelineCall<unknown>, attempt: number): Promise<ModelError> {
    const tries = attempt === 0 ? '' : ` after ${attempt + 1} tries`
    const advice = failure.advice ?? call.advise?.(failure) ?? adviceFor(failure, call.model)
    const meant = isUnknownModel(failure) ? await this.#suggest(call.model) : ''
    return new ModelError(`${asSentence(this.#describe(failure, tries))}${meant} ${advice}`, {
      transient: failure.transient,
      endpointStatus: failure.status,
      failure: failureOf(failure),
    })
  }

  async #suggest(model: string): Promise<string> {
    const { addresses, keys, models, transport } = this.#parts
    const lease = addresses.lend()
    try {
      const key = (await keys?.current()) ?? null
      return await suggestModel(model, models, { address: lease.client, key, transport })
    } finally {
      lease.release('reached')
    }
  }

  #describe(failure: CallFailure, tries = ''): string {
    const { endpoint, keys } = this.#parts
    const status = failure.status === null ? '' : ` with status ${failure.status}`
    const said = shorten(keys?.redact(failure.said) ?? failure.said)
    return `The endpoint "${endpoint}" failed${status}${tries}: ${said.replace(/[.]$/, '')}`
  }
}

function readWhole(
  answer: WireAnswer,
  { assemble }: Pick<PipelineCall<unknown>, 'assemble'>,
): { body: unknown } | DecodingFault {
  if (assemble === undefined || !isEventStream(answer.text)) return { body: parseBody(answer) }
  const read = readStreamEvents(answer.text)
  return 'wrong' in read ? read : assemble(read)
}

/** The rate that a request used: a refused one counts, one that never arrived does not. */
function takenBy(outcome: Outcome<unknown>, { tokens }: UpperBound): Units {
  if ('answer' in outcome) {
    return { requests: 1, tokens: outcome.spent.input_tokens + outcome.spent.output_tokens }
  }
  if (outcome.failure.paid) return { requests: 1, tokens }
  return outcome.failure.status === null ? nothing : { requests: 1, tokens: 0 }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 300 ? line : `${clipText(line, 300)}…`
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
