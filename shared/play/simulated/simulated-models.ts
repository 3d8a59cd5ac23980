import type { Price, SimulatedEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import { AddressPool } from '../models/address-pool.ts'
import { CallPipeline } from '../models/call-pipeline.ts'
import { ChatCalls } from '../models/chat-calls.ts'
import { createChatCompletions } from '../models/codecs/chat-completions.ts'
import { textAlone } from '../models/codecs/wire-messages.ts'
import type { EndpointAddress } from '../models/endpoint-addresses.ts'
import type { EndpointModels } from '../models/endpoint-models.ts'
import { createEmbeddingCalls, createScoreCalls } from '../models/input-calls.ts'
import type { ModelClock } from '../models/model-clock.ts'
import { findPrice, simulatedPrices } from '../models/prices.ts'
import { type ModelTransport, toWireHeaders } from '../models/transport.ts'
import { acceptRequest, simulatedPaths } from './answer-request.ts'
import { openAiError } from './chat-completion-error.ts'
import { simulatedLatency } from './simulated-latency.ts'

/**
 * The simulated model in this process. It runs the real models' pipeline with a transport that answers locally: the
 * same wire format, meter and error paths, without a network.
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
  const prices = simulatedPrices(endpoint)
  const price = (model: string): Price | null => findPrice(prices, model)
  const pipeline = new CallPipeline({
    endpoint: name,
    addresses: new AddressPool([simulatedAddress]),
    transport: simulatedTransport(endpoint, clock),
    limiter: null,
    rate: null,
    keys: null,
    maxRetries: 0,
    models: [],
    clock,
  })
  const codec = createChatCompletions({
    sendSeed: true,
    sentSampling: () => ['temperature', 'top_p'],
    sendStop: null,
    turns: {},
    maxTokensField: () => 'max_tokens',
    pictures: textAlone,
  })
  return {
    chat: new ChatCalls(pipeline, { endpoint: name, codec, price, maxChoices: null }),
    embedding: createEmbeddingCalls(pipeline, price),
    scorer: createScoreCalls(pipeline, price),
  }
}

const simulatedAddress: EndpointAddress = {
  address: async ({ path, isBesideV1 = false }) => ({ url: isBesideV1 ? path : `/v1${path}`, headers: {} }),
}

function simulatedTransport(endpoint: SimulatedEndpoint, clock: ModelClock): Pick<ModelTransport, 'send'> {
  const headers = toWireHeaders({ 'content-type': 'application/json' })
  const answer = (status: number, body: object) => ({ status, headers, text: JSON.stringify(body) })
  return {
    async send({ url, body, signal }) {
      const path = simulatedPaths.find((candidate) => candidate === url)
      if (path === undefined) return answer(404, openAiError(`There is no ${url}.`))
      const accepted = acceptRequest(path, body)
      if ('error' in accepted) return answer(400, accepted)
      const delay = simulatedLatency(endpoint, body)
      if (delay > 0) await clock.sleep(delay, signal)
      return answer(200, accepted.answer(endpoint).body)
    },
  }
}
