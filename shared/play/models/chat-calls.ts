import type { Price } from '../../core/contracts/endpoint-configuration.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import { addUsage, noUsage, type TokensAndCost, tokenDetails } from '../../core/contracts/usage.ts'
import { writeAnswer } from '../answers/write-calls.ts'
import { isContentFilter } from './call-failure.ts'
import type { CallPipeline, PipelineCall, ReadAnswer } from './call-pipeline.ts'
import type {
  CallOptions,
  ChatAnswer,
  ChatChoice,
  ChatModel,
  ChatRequest,
  SilentChoices,
} from './chat-model.ts'
import type { ChatCodec, ChatWireRequest, Completion } from './codec.ts'
import { readTokenized } from './codecs/token-calls.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { costOf, promptTokensOf, upperBoundOf } from './prices.ts'
import { warnOfEstimate, warnOfShortCount } from './prompt-count.ts'
import { completeUsage } from './read-token-counts.ts'
import { brokenStream } from './streams/read-stream-events.ts'

export interface ChatCallsParts {
  endpoint: string
  codec: ChatCodec
  price: (model: string) => Price | null
  maxChoices: number | null
}

interface Part {
  choices: ChatChoice[]
  silent: SilentChoices
  spent: TokensAndCost
  prompt?: string
}

const seeds = 2 ** 31

const beyondStop = 'The endpoint went on after a stop text: its tokens include those that the answer lacks.'

export class ChatCalls implements ChatModel {
  readonly #pipeline: CallPipeline
  readonly #parts: ChatCallsParts
  /**
   * By model: tokens of a choice beyond `max_tokens`. Some endpoints let models reason longer, and later upper bounds
   * include this.
   */
  readonly #excess = new Map<string, number>()

  constructor(pipeline: CallPipeline, parts: ChatCallsParts) {
    this.#pipeline = pipeline
    this.#parts = parts
  }

  /**
   * If an endpoint returns fewer choices per request, requests the others concurrently under the seeds that follow.
   *
   * @throws ModelError when the endpoint refuses, or stays unreachable or overloaded through all retries. The meter
   * keeps the cost of the call's other requests.
   * @throws The signal's reason when it aborts, and the meter's own errors unchanged.
   */
  async complete(request: ChatRequest, options: CallOptions): Promise<ChatAnswer> {
    const wanted = request.n ?? 1
    const parts: Part[] = []
    let missing = wanted
    let perRequest = Math.min(wanted, this.#parts.maxChoices ?? wanted)
    let seed = request.seed
    while (missing > 0) {
      const requests = split(missing, perRequest).map((n, position) => ({
        ...request,
        n,
        seed: seed + position * perRequest,
      }))
      const received = await allOf(
        requests.map((part) =>
          this.#pipeline.ask(this.#call({ ...part, seed: part.seed % seeds }, options.meter), options),
        ),
      )
      parts.push(...(await this.#tokenized(received, request, options)))
      for (const [position, { n, seed: start }] of requests.entries()) {
        const given = received[position]?.choices.length ?? 0
        missing -= given
        if (given < n) perRequest = Math.min(perRequest, given)
        seed = start + given
      }
    }
    return join(parts)
  }

  async #tokenized(
    parts: readonly Part[],
    { model }: ChatRequest,
    { signal }: CallOptions,
  ): Promise<readonly Part[]> {
    const prompt = parts.find((part) => part.prompt !== undefined)?.prompt
    const call = prompt === undefined ? undefined : this.#parts.codec.tokenize?.(model, prompt)
    if (call === undefined) return parts
    const ids = await this.#pipeline.askFree(call, signal).then(readTokenized, () => null)
    signal?.throwIfAborted()
    return parts.map((part) => ({
      ...part,
      choices: part.choices.map((choice) => withPrompt(choice, ids, part.spent.input_tokens)),
    }))
  }

  #call(request: ChatWireRequest, meter: Meter): PipelineCall<Part> {
    const { codec, price: priceOf } = this.#parts
    const price = priceOf(request.model)
    const max_tokens = request.max_tokens + (this.#excess.get(request.model) ?? 0)
    return {
      model: request.model,
      bound: upperBoundOf({ ...request, max_tokens }, price),
      encode: () => codec.encode(request),
      ...(codec.assemble && { assemble: (events) => codec.assemble?.(events) ?? brokenStream }),
      read: (body) => {
        const decoded = codec.decode(body, request)
        return 'wrong' in decoded ? decoded : this.#price(decoded, request, { price, meter })
      },
      readRefusal: (failure) => (isContentFilter(failure) ? filtered(request, price) : null),
      adapts: (failure) => codec.adapts?.(failure, request) ?? false,
      advise: (failure) => codec.advise?.(failure, request) ?? null,
    }
  }

  #price(
    { choices: given, silent, usage, prompt }: Completion,
    request: ChatWireRequest,
    { price, meter }: { price: Price | null; meter: Meter },
  ): ReadAnswer<Part> {
    const { model, n, stop } = request
    const { input_tokens, output_tokens, ...details } = completeUsage(usage, {
      input: () => promptTokensOf(request),
      output: () =>
        given.reduce(
          (sum, { content, tool_calls, thinking }) =>
            sum + estimateTokens(writeAnswer(content, tool_calls)) + estimateTokens(thinking?.text ?? ''),
          0,
        ),
    })
    const beyond = Math.ceil(output_tokens / given.length) - request.max_tokens
    if (beyond > (this.#excess.get(model) ?? 0)) this.#excess.set(model, beyond)
    const asked = { endpoint: this.#parts.endpoint, ...request }
    const warning = warnOfShortCount(asked, usage.input_tokens) ?? warnOfEstimate(asked, usage)
    if (warning !== null) meter.warned?.(warning)
    const tokens = { input_tokens, ...tokenDetails(details), output_tokens }
    const spent = {
      ...tokens,
      cost: costOf(price, { ...tokens, written_tokens: details.written_tokens ?? 0 }),
    }
    const choices = given.slice(0, n).map((choice) => cutAtStop(choice, stop))
    return { answer: { choices, silent, spent, ...(prompt !== undefined && { prompt }) }, spent }
  }
}

/** An answer of filtered choices. The endpoint has worked on the prompt, and charges for it: Azure's pricing notes. */
function filtered(request: ChatWireRequest, price: Price | null): { answer: Part; spent: TokensAndCost } {
  const tokens = { input_tokens: promptTokensOf(request), output_tokens: 0 }
  const spent = { ...tokens, cost: costOf(price, tokens) }
  const choices = Array.from({ length: request.n }, () => ({ content: '', finish_reason: 'content_filter' }))
  return { answer: { choices, silent: { reasoned: 0, called: 0 }, spent }, spent }
}

function withPrompt({ tokens, ...choice }: ChatChoice, ids: number[] | null, counted: number): ChatChoice {
  if (tokens === undefined || tokens.prompt_ids !== null) return { ...choice, ...(tokens && { tokens }) }
  if (ids?.length === counted) return { ...choice, tokens: { ...tokens, prompt_ids: ids } }
  const fault =
    ids === null
      ? 'The endpoint did not tokenize its prompt, so the ids of the prompt are unknown.'
      : `The endpoint counted ${counted} tokens of a prompt that has ${ids.length}, so their ids count as unknown.`
  return { ...choice, tokens: { ...tokens, warnings: [...tokens.warnings, fault] } }
}

/** Some endpoints ignore stop texts, and some leave the matched one in the answer. */
function cutAtStop(choice: ChatChoice, stops: readonly string[] = []): ChatChoice {
  const places = stops.map((stop) => choice.content.indexOf(stop)).filter((place) => place >= 0)
  if (places.length === 0) return choice
  const { tokens } = choice
  return {
    ...choice,
    content: choice.content.slice(0, Math.min(...places)),
    finish_reason: 'stop',
    ...(tokens && { tokens: { ...tokens, warnings: [...tokens.warnings, beyondStop] } }),
  }
}

function split(total: number, size: number): number[] {
  return Array.from({ length: Math.ceil(total / size) }, (_, position) =>
    Math.min(size, total - position * size),
  )
}

/** Waits for all, so that no paid request is still running when the first failure is thrown. */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  if (promises.length > 1) await Promise.allSettled(promises)
  return Promise.all(promises)
}

function join(parts: readonly Part[]): ChatAnswer {
  const usage = parts.reduce((sum, { spent }) => addUsage(sum, { ...spent, model_calls: 1 }), noUsage)
  const sum = (what: keyof SilentChoices) => parts.reduce((all, { silent }) => all + silent[what], 0)
  const silent = { reasoned: sum('reasoned'), called: sum('called') }
  return {
    choices: parts.flatMap(({ choices }) => choices),
    ...(silent.reasoned + silent.called > 0 && { silent }),
    ...usage,
  }
}
