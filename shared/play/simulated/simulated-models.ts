import { OpenAI } from 'openai'
import type { Price, SimulatedEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import { AddressPool } from '../models/address-pool.ts'
import { ClassifierValueModel } from '../models/classifier-value-model.ts'
import { EndpointClient } from '../models/endpoint-client.ts'
import type { EndpointModels } from '../models/endpoint-models.ts'
import type { ModelClock } from '../models/model-clock.ts'
import { OpenAiChatModel } from '../models/openai-chat-model.ts'
import type { Fetch } from '../models/openai-client.ts'
import { OpenAiEmbeddingModel } from '../models/openai-embedding-model.ts'
import { findPrice, simulatedPrices } from '../models/prices.ts'
import { textAlone } from '../models/wire-messages.ts'
import { acceptRequest, simulatedPaths } from './answer-request.ts'
import { openAiError } from './chat-completion-error.ts'
import { simulatedLatency } from './simulated-latency.ts'

/**
 * The simulated model in this process. It runs the real models' code with a `fetch` that answers locally: the same
 * package, wire format, meter and error paths, without a network.
 *
 * @example
 * const { chat } = createSimulatedModels('simulated', endpointSchema.parse({ kind: 'simulated', skill: 0.9 }),
 * modelClock)
 */
export function createSimulatedModels(
  name: string,
  endpoint: SimulatedEndpoint,
  clock: ModelClock,
): EndpointModels {
  const openai = new OpenAI({
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
  const price = (model: string): Price | null => findPrice(prices, model)
  const client = new EndpointClient({
    endpoint: name,
    addresses: new AddressPool([openai]),
    limiter: null,
    rate: null,
    keys: null,
    kind: 'openai',
    maxRetries: 0,
    clock,
    takeDispatched: () => true,
  })
  return {
    chat: new OpenAiChatModel(client, {
      endpoint: name,
      price,
      sendSeed: true,
      sentSampling: () => ['temperature', 'top_p'],
      sendStop: null,
      turns: {},
      maxTokensField: () => 'max_tokens',
      maxChoices: null,
      pictures: textAlone,
    }),
    embedding: new OpenAiEmbeddingModel(client, price),
    scorer: new ClassifierValueModel(client, price),
  }
}

function simulatedFetch(endpoint: SimulatedEndpoint, clock: ModelClock): Fetch {
  return async (address, init) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address)
    const path = simulatedPaths.find((candidate) => candidate === pathname)
    if (path === undefined) return Response.json(openAiError(`There is no ${pathname}.`), { status: 404 })
    const body = typeof init?.body === 'string' ? init.body : ''
    const accepted = acceptRequest(path, body)
    if ('error' in accepted) return Response.json(accepted, { status: 400 })
    const delay = simulatedLatency(endpoint, body)
    if (delay > 0) await clock.sleep(delay, init?.signal ?? undefined)
    return Response.json(accepted.answer(endpoint).body)
  }
}
