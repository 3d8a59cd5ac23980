import type { OpenAI } from 'openai'
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions'
import type { Meter, Reservation, UpperBound } from '../contracts/meter.ts'
import type { AdaptiveLimiter, SlotOutcome } from './adaptive-limiter.ts'
import type { AddressPool } from './address-pool.ts'
import type { ApiKey } from './api-key.ts'
import { type CallFailure, readCallFailure } from './call-failure.ts'
import type { ChatAnswer, ChatModel, ChatRequest } from './chat-model.ts'
import type { HttpEndpoint } from './endpoint-configuration.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import type { KeySource } from './keys/key-source.ts'
import type { ModelClock } from './model-clock.ts'
import { ModelError } from './model-error.ts'
import { callIdHeader, keyHeader } from './openai-client.ts'
import { costOf, type Price, upperBoundOf } from './prices.ts'
import type { EndpointRate } from './rates/endpoint-rate.ts'
import type { Units } from './rates/quota.ts'
import { longestWait, retryDelay } from './retry-policy.ts'

export interface OpenAiChatModelParts {
  /** The endpoint's name, for errors. */
  endpoint: string
  addresses: AddressPool<OpenAI>
  /** null: as many calls at once as are asked for. */
  limiter: AdaptiveLimiter | null
  /** null: as many a minute as are asked for. */
  rate: EndpointRate | null
  price: (model: string) => Price | null
  /** null: calls carry no key, or the client brings one. */
  keys: KeySource | null
  kind: HttpEndpoint['kind']
  maxRetries: number
  sendSeed: boolean
  maxTokensField: 'max_tokens' | 'max_completion_tokens'
  clock: ModelClock
  /** Whether the call with this id was handed to `fetch`; asked exactly once for each call, when it is over. */
  takeDispatched: (callId: string) => boolean
}

type Outcome = { answer: ChatAnswer } | { failure: CallFailure; key: ApiKey | null }

/** What one HTTP request needs beside its body. */
interface Call {
  meter: Meter
  signal?: AbortSignal
  bound: UpperBound
  price: Price | null
}

const nothing: Units = { requests: 0, tokens: 0 }

/**
 * A model behind any OpenAI-compatible endpoint, over the `openai` package. Every HTTP request waits for its slot and
 * its share of the rate, is reserved with the meter, and is then settled, released or lost exactly once; retries are
 * requests of their own.
 */
export class OpenAiChatModel implements ChatModel {
  readonly #parts: OpenAiChatModelParts

  constructor(parts: OpenAiChatModelParts) {
    this.#parts = parts
  }

  /**
   * @throws ModelError when the endpoint refuses, or stays unreachable or overloaded through all retries.
   * @throws The signal's reason when it aborts, and the meter's own errors as they are.
   */
  async complete(request: ChatRequest, options: { meter: Meter; signal?: AbortSignal }): Promise<ChatAnswer> {
    const { signal } = options
    const price = this.#parts.price(request.model)
    const bound = upperBoundOf(request, price)
    let keyReplaced = false
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#try(request, { ...options, bound, price })
      if ('answer' in outcome) return outcome.answer
      const { failure, key } = outcome
      if (failure.status === 401 && key !== null && !keyReplaced) {
        keyReplaced = (await this.#parts.keys?.replaces(key)) === true
        if (keyReplaced) continue
      }
      if (!failure.transient || attempt >= this.#parts.maxRetries)
        throw this.#error(failure, request, attempt)
      const elsewhere = failure.unreachable && this.#parts.addresses.reachable
      const delay = elsewhere ? 0 : retryDelay(attempt, failure.headers)
      if (delay > longestWait) throw this.#error(failure, request, attempt)
      await this.#parts.clock.sleep(delay, signal)
    }
  }

  async #try(request: ChatRequest, call: Call): Promise<Outcome> {
    const { keys, limiter } = this.#parts
    const slot = await limiter?.acquire(call.signal)
    let outcome: SlotOutcome = 'failed'
    try {
      const key = (await keys?.current()) ?? null
      const sent = await this.#sendInTurn(request, key, call)
      if ('failure' in sent) {
        if (sent.failure.rateLimited) outcome = 'rate_limited'
      } else outcome = 'answered'
      return sent
    } finally {
      slot?.release(outcome)
    }
  }

  /** Waits for the rate last of all, so that what it lets through is sent at once. */
  async #sendInTurn(request: ChatRequest, key: ApiKey | null, call: Call): Promise<Outcome> {
    const permit = await this.#parts.rate?.acquire(call.bound.tokens, call.signal)
    let taken = nothing
    try {
      const reservation = await call.meter.reserve(call.bound)
      taken = { requests: 1, tokens: call.bound.tokens }
      const sent = await this.#send(request, key, reservation, call)
      taken = takenBy(sent, call.bound)
      if ('answer' in sent) {
        const { input_tokens, output_tokens, cost } = sent.answer
        await reservation.settle({ input_tokens, output_tokens, cost })
      }
      return sent
    } finally {
      permit?.settle(taken)
    }
  }

  /** Sends one request. Leaves the reservation open when the answer came; otherwise has released or lost it. */
  async #send(
    request: ChatRequest,
    key: ApiKey | null,
    reservation: Reservation,
    call: Call,
  ): Promise<Outcome> {
    const { signal } = call
    if (signal?.aborted) {
      await reservation.release()
      throw signal.reason
    }
    const lease = this.#parts.addresses.lend()
    let unreachable = false
    try {
      const completion: unknown = await lease.client.chat.completions.create(this.#body(request), {
        headers: {
          ...(key === null ? {} : keyHeader(this.#parts.kind, key)),
          [callIdHeader]: reservation.id,
        },
        ...(signal === undefined ? {} : { signal }),
      })
      this.#parts.takeDispatched(reservation.id)
      if (isCompletion(completion)) return { answer: readAnswer(completion, request, call.price) }
      await reservation.lose()
      return { failure: notACompletion, key }
    } catch (error) {
      const failure = readCallFailure(error, this.#parts.takeDispatched(reservation.id))
      unreachable = failure.unreachable
      if (failure.paid) await reservation.lose()
      else await reservation.release()
      if (signal?.aborted) throw signal.reason
      return { failure, key }
    } finally {
      lease.release(unreachable ? 'unreachable' : 'reached')
    }
  }

  #body(request: ChatRequest): ChatCompletionCreateParamsNonStreaming {
    const { model, messages, temperature, top_p, max_tokens, seed } = request
    return {
      model,
      messages: [...messages],
      temperature,
      top_p,
      [this.#parts.maxTokensField]: max_tokens,
      ...(this.#parts.sendSeed ? { seed } : {}),
    }
  }

  #error(failure: CallFailure, request: ChatRequest, attempt: number): ModelError {
    const { endpoint, keys } = this.#parts
    const status = failure.status === null ? '' : ` with status ${failure.status}`
    const said = shorten(keys?.redact(failure.said) ?? failure.said)
    const tries = attempt === 0 ? '' : ` after ${attempt + 1} tries`
    const advice = adviceFor(failure, request.model)
    return new ModelError(`The endpoint "${endpoint}" failed${status}${tries}: ${said} ${advice}`, {
      transient: failure.transient,
      endpointStatus: failure.status,
    })
  }
}

/** What a request took of the endpoint's rate: a refused one is counted, one that never arrived is not. */
function takenBy(sent: Outcome, { tokens }: UpperBound): Units {
  if ('answer' in sent) {
    return { requests: 1, tokens: sent.answer.input_tokens + sent.answer.output_tokens }
  }
  if (sent.failure.paid) return { requests: 1, tokens }
  return sent.failure.status === null ? nothing : { requests: 1, tokens: 0 }
}

const notACompletion: CallFailure = {
  said: 'the answer is not a chat completion.',
  status: 200,
  headers: null,
  paid: true,
  transient: false,
  rateLimited: false,
  unreachable: false,
}

function isCompletion(value: unknown): value is ChatCompletion {
  if (typeof value !== 'object' || value === null || !('choices' in value)) return false
  const choice: unknown = Array.isArray(value.choices) ? value.choices[0] : undefined
  return typeof choice === 'object' && choice !== null && 'message' in choice && choice.message !== null
}

/** An answer without text is an answer. Tokens that the endpoint does not count are estimated. */
function readAnswer(completion: ChatCompletion, request: ChatRequest, price: Price | null): ChatAnswer {
  const choice = completion.choices[0]
  const content = choice?.message.content ?? ''
  const input_tokens = completion.usage?.prompt_tokens ?? estimatePromptTokens(request.messages)
  const output_tokens = completion.usage?.completion_tokens ?? estimateTokens(content)
  const cost = costOf(price, { input_tokens, output_tokens })
  return { content, finish_reason: choice?.finish_reason ?? 'stop', input_tokens, output_tokens, cost }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`
}

function adviceFor(failure: CallFailure, model: string): string {
  if (failure.status === 401 || failure.status === 403) return 'Check the key of this endpoint.'
  if (failure.status === 404) return `Check base_url and that it serves the model "${model}".`
  if (failure.status === 429) {
    return failure.transient
      ? 'Lower max_parallel or max_concurrency, or try later.'
      : 'Check the plan and credit of this key.'
  }
  if (failure.status === 200) return 'Check base_url; most servers want it to end in /v1.'
  if (failure.unreachable) return 'Check base_url and that the server is running.'
  return failure.transient ? 'Try again later, or raise timeout.' : 'Check the request and the endpoint.'
}
