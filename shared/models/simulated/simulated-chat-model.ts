import { OpenAI } from 'openai'
import { createRandom, digestText } from '../../random/random.ts'
import { AddressPool } from '../address-pool.ts'
import type { ChatModel } from '../chat-model.ts'
import type { SimulatedEndpoint } from '../endpoint-configuration.ts'
import type { ModelClock } from '../model-clock.ts'
import { OpenAiChatModel } from '../openai-chat-model.ts'
import type { Fetch } from '../openai-client.ts'
import { findPrice } from '../prices.ts'
import { chatCompletionRequestSchema, createCompletion } from './chat-completion.ts'
import { requestError } from './chat-completion-error.ts'
import { simulatedPrices } from './simulated-prices.ts'

/**
 * The simulated model in this process. It is the real one's code with a `fetch` that answers by itself: the same
 * package, wire format, meter and error paths, without a network.
 *
 * @example
 * const model = createSimulatedChatModel('simulated', endpointSchema.parse({ kind: 'simulated', skill: 0.9 }), modelClock)
 */
export function createSimulatedChatModel(
  name: string,
  endpoint: SimulatedEndpoint,
  clock: ModelClock,
): ChatModel {
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'http://simulated.invalid/v1',
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    timeout: endpoint.latency + endpoint.latency_spread + 600_000,
    fetch: simulatedFetch(endpoint, clock),
  })
  const prices = simulatedPrices(endpoint)
  return new OpenAiChatModel({
    endpoint: name,
    addresses: new AddressPool([client]),
    limiter: null,
    rate: null,
    price: (model) => findPrice(prices, model),
    keys: null,
    kind: 'openai',
    maxRetries: 0,
    sendSeed: true,
    maxTokensField: 'max_tokens',
    clock,
    takeDispatched: () => true,
  })
}

function simulatedFetch(endpoint: SimulatedEndpoint, clock: ModelClock): Fetch {
  return async (_address, init) => {
    const body = typeof init?.body === 'string' ? init.body : ''
    const request = chatCompletionRequestSchema.safeParse(JSON.parse(body))
    if (!request.success) return Response.json(requestError(request.error), { status: 400 })
    const delay = simulatedLatency(endpoint, body)
    if (delay > 0) await clock.sleep(delay, init?.signal ?? undefined)
    return Response.json(createCompletion(request.data, endpoint))
  }
}

/** Milliseconds, the same for the same request. */
export function simulatedLatency(
  settings: { latency: number; latency_spread?: number; seed: number },
  body: string,
): number {
  const { latency, latency_spread: spread = 0, seed } = settings
  if (spread === 0) return latency
  const random = createRandom(digestText(body, seed))
  return Math.max(0, latency + (random() * 2 - 1) * spread)
}
