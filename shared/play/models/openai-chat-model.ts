import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { Price } from '../../core/contracts/endpoint-configuration.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import type { ModelChoice } from '../../core/contracts/model-choice.ts'
import { addUsage, noUsage, type TokensAndCost, tokenDetails } from '../../core/contracts/usage.ts'
import type { SamplingField } from './answer-defaults.ts'
import { refusesPair, samplingAdvice } from './call-advice.ts'
import { isContentFilter } from './call-failure.ts'
import type {
  CallOptions,
  ChatAnswer,
  ChatChoice,
  ChatModel,
  ChatRequest,
  SilentChoices,
} from './chat-model.ts'
import type { EndpointClient, EndpointRequest } from './endpoint-client.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { costOf, promptTokensOf, upperBoundOf } from './prices.ts'
import { warnOfShortCount } from './prompt-count.ts'
import { readCompletion } from './read-completion.ts'
import { completeUsage } from './read-token-counts.ts'
import { type WirePictures, wireMessages } from './wire-messages.ts'
import { type TurnSettings, toWireTurns } from './wire-turns.ts'

export interface OpenAiChatModelParts {
  endpoint: string
  price: (model: string) => Price | null
  sendSeed: boolean
  sentSampling: (choice: Pick<ModelChoice, 'id' | 'reasoning_effort'>) => readonly SamplingField[]
  /** True sends stop texts; null sends them only to models that get temperature or top_p. */
  sendStop: boolean | null
  turns: TurnSettings
  maxTokensField: (model: string) => 'max_tokens' | 'max_completion_tokens'
  /** Maximum choices per request; null for no limit. */
  maxChoices: number | null
  pictures: WirePictures
}

interface Part {
  choices: ChatChoice[]
  silent: SilentChoices
  spent: TokensAndCost
}

const seeds = 2 ** 31

export class OpenAiChatModel implements ChatModel {
  readonly #client: EndpointClient
  readonly #parts: OpenAiChatModelParts
  /**
   * By model: tokens of a choice beyond `max_tokens`. Some endpoints let models reason longer, and later upper bounds
   * include this.
   */
  readonly #excess = new Map<string, number>()
  readonly #alone = new Set<string>()

  constructor(client: EndpointClient, parts: OpenAiChatModelParts) {
    this.#client = client
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
          this.#client.send(this.#request({ ...part, seed: part.seed % seeds }, options.meter), options),
        ),
      )
      parts.push(...received)
      for (const [position, { n, seed: start }] of requests.entries()) {
        const given = received[position]?.choices.length ?? 0
        missing -= given
        if (given < n) perRequest = Math.min(perRequest, given)
        seed = start + given
      }
    }
    return join(parts)
  }

  #request(request: ChatRequest & { n: number }, meter: Meter): EndpointRequest<Part> {
    const price = this.#parts.price(request.model)
    const { endpoint } = this.#parts
    const excess = this.#excess
    return {
      model: request.model,
      bound: upperBoundOf(
        { ...request, max_tokens: request.max_tokens + (excess.get(request.model) ?? 0) },
        price,
      ),
      // Not `chat.completions.create`: it walks over each value of the body, in case a stream is requested.
      send: async (client, options) =>
        client.post('/chat/completions', { body: await this.#body(request), ...options }),
      read(body) {
        const completion = readCompletion(body)
        if ('wrong' in completion) return { ...completion, transient: true }
        const choices = completion.choices
          .slice(0, request.n)
          .map((choice) => cutAtStop(choice, request.stop))
        const { input_tokens, output_tokens, ...details } = completeUsage(completion.usage, {
          input: () => promptTokensOf(request),
          output: () => completion.choices.reduce((sum, { content }) => sum + estimateTokens(content), 0),
        })
        const beyond = Math.ceil(output_tokens / completion.choices.length) - request.max_tokens
        if (beyond > (excess.get(request.model) ?? 0)) excess.set(request.model, beyond)
        const warning = warnOfShortCount({ endpoint, ...request }, completion.usage.input_tokens)
        if (warning !== null) meter.warned?.(warning)
        const tokens = { input_tokens, ...tokenDetails(details), output_tokens }
        const spent = { ...tokens, cost: costOf(price, tokens) }
        return { answer: { choices, silent: completion.silent, spent }, spent }
      },
      // The endpoint has worked on the prompt, and charges for it: Azure does by its pricing notes.
      readRefusal(failure) {
        if (!isContentFilter(failure)) return null
        const tokens = {
          input_tokens: promptTokensOf(request),
          output_tokens: 0,
        }
        const spent = { ...tokens, cost: costOf(price, tokens) }
        const filtered = { content: '', finish_reason: 'content_filter' }
        return {
          answer: {
            choices: Array.from({ length: request.n }, () => ({ ...filtered })),
            silent: { reasoned: 0, called: 0 },
            spent,
          },
          spent,
        }
      },
      instead: (failure) => {
        const sampled = this.#sampled(request)
        const alone = sampled.find((field) => request[field] !== 1) ?? 'temperature'
        const isNeutral = sampled.every((field) => field === alone || request[field] === 1)
        if (sampled.length < 2 || !isNeutral || !refusesPair(failure)) return null
        this.#alone.add(request.model)
        return this.#request(request, meter)
      },
      advise: (failure) => samplingAdvice(failure, request.n),
    }
  }

  #sampled({ model, reasoning_effort, ...values }: ChatRequest): readonly SamplingField[] {
    const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
    const sampled = this.#parts.sentSampling({ id: model, ...effort })
    if (sampled.length < 2 || !this.#alone.has(model)) return sampled
    const asked = sampled.filter((field) => values[field] !== 1)
    return asked.length === 0 ? ['temperature'] : asked
  }

  async #body(request: ChatRequest & { n: number }): Promise<ChatCompletionCreateParamsNonStreaming> {
    const { model, messages, max_tokens, reasoning_effort, seed, n, stop } = request
    const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
    const { sendSeed, sendStop, maxTokensField, pictures, turns } = this.#parts
    const sampled = this.#sampled(request)
    return {
      model,
      messages: await wireMessages(toWireTurns(messages, turns), pictures, turns.system),
      ...Object.fromEntries(sampled.map((field) => [field, request[field]])),
      [maxTokensField(model)]: max_tokens,
      // Endpoints have values of their own beside OpenAI's.
      ...(effort as Pick<ChatCompletionCreateParamsNonStreaming, 'reasoning_effort'>),
      ...(sendSeed ? { seed } : {}),
      ...(n === 1 ? {} : { n }),
      // Models that refuse a temperature refuse stop texts too; the client cuts their answers.
      ...(stop === undefined || !(sendStop ?? sampled.length > 0) ? {} : { stop: [...stop] }),
    }
  }
}

/** Some endpoints ignore stop texts, and some leave the matched one in the answer. */
function cutAtStop(choice: ChatChoice, stops: readonly string[] = []): ChatChoice {
  const places = stops.map((stop) => choice.content.indexOf(stop)).filter((place) => place >= 0)
  if (places.length === 0) return choice
  return { ...choice, content: choice.content.slice(0, Math.min(...places)), finish_reason: 'stop' }
}

function split(total: number, size: number): number[] {
  return Array.from({ length: Math.ceil(total / size) }, (_, position) =>
    Math.min(size, total - position * size),
  )
}

/** Waits for all, so that no paid request is still running when the first failure is thrown. */
async function allOf<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises)
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
