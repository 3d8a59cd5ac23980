import type { LookupFunction } from 'node:net'
import type { HttpEndpoint, Price } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { OutboundRoutes } from '../../core/outbound/outbound-routes.ts'
import type { PictureSource } from '../../core/pictures/picture-source.ts'
import { AdaptiveLimiter } from './adaptive-limiter.ts'
import { AddressPool } from './address-pool.ts'
import { type AnswerBounds, AnswerReader } from './answer-reader.ts'
import { CallPipeline } from './call-pipeline.ts'
import { ChatCalls } from './chat-calls.ts'
import type { ChatCodec } from './codec.ts'
import { anthropicMessagesOf } from './codecs/anthropic-messages.ts'
import { chatCompletionsOf } from './codecs/chat-completions.ts'
import { openAiResponsesOf } from './codecs/openai-responses.ts'
import { azureIdentityProvider, endpointAddresses, type TokenProvider } from './endpoint-addresses.ts'
import type { EndpointModels } from './endpoint-models.ts'
import { createEmbeddingCalls, createScoreCalls } from './input-calls.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { KeySource } from './keys/key-source.ts'
import type { ModelClock } from './model-clock.ts'
import { mostChoices } from './most-choices.ts'
import { priceAt } from './prices.ts'
import { EndpointRate, type RateWorld } from './rates/endpoint-rate.ts'
import { quotaOf } from './rates/quota.ts'
import { type ModelTransport, UnsentRequestError } from './transport.ts'

export interface HttpModelParts {
  clock: ModelClock
  keys: KeyRing
  rates: RateWorld | null
  transport: ModelTransport | null
  transports: ModelTransport[]
  tokenProvider: TokenProvider | null
  pictures: PictureSource | null
  network?: 'any' | 'public'
}

function chatCodecOf(endpoint: HttpEndpoint, pictures: PictureSource | null): ChatCodec {
  if (endpoint.kind === 'openai-responses') return openAiResponsesOf(endpoint, pictures)
  if (endpoint.kind === 'anthropic') return anthropicMessagesOf(endpoint, pictures)
  return chatCompletionsOf(endpoint, pictures)
}

export function openHttpModels(
  name: string,
  endpoint: HttpEndpoint,
  keys: KeySource | null,
  parts: HttpModelParts,
): EndpointModels {
  const { clock, pictures, rates } = parts
  const quota = quotaOf(endpoint)
  const now = () => clock.now()
  const price = (model: string): Price | null => priceAt(endpoint, model)
  const withTokens = endpoint.kind === 'azure' && endpoint.token_provider !== undefined
  const tokens = withTokens ? (parts.tokenProvider ?? azureIdentityProvider(endpoint.token_scope)) : null
  const pipeline = new CallPipeline({
    endpoint: name,
    addresses: new AddressPool(endpointAddresses(endpoint, tokens), now),
    transport: parts.transport ?? connect(endpoint, parts),
    limiter: new AdaptiveLimiter({ maximum: endpoint.max_concurrency, now }),
    rate: quota === null || rates === null ? null : new EndpointRate(name, quota, rates),
    keys,
    maxRetries: endpoint.max_retries,
    models: Object.keys(endpoint.prices ?? {}),
    clock,
  })
  const codec = chatCodecOf(endpoint, pictures)
  const maxChoices = mostChoices(endpoint)
  const models: EndpointModels = {
    chat: new ChatCalls(pipeline, { endpoint: name, codec, price, maxChoices }),
    ...(endpoint.kind === 'anthropic'
      ? chatAlone(name)
      : { embedding: createEmbeddingCalls(pipeline, price), scorer: createScoreCalls(pipeline, price) }),
  }
  const model = endpoint.kind === 'azure' ? undefined : endpoint.model
  return model === undefined ? models : asking(model, models)
}

function chatAlone(name: string): Pick<EndpointModels, 'embedding' | 'scorer'> {
  const refuse = async (what: string) => {
    throw new EspalierError(
      'invalid_request',
      `The endpoint "${name}" is of the kind anthropic, which serves no ${what}. Name another endpoint for this role.`,
    )
  }
  return {
    embedding: { embed: () => refuse('embeddings') },
    scorer: { score: () => refuse('trained values') },
  }
}

function asking(model: string, { chat, embedding, scorer }: EndpointModels): EndpointModels {
  return {
    chat: { complete: (request, options) => chat.complete({ ...request, model }, options) },
    embedding: { embed: (request, options) => embedding.embed({ ...request, model }, options) },
    scorer: { score: (request, options) => scorer.score({ ...request, model }, options) },
  }
}

function connect(endpoint: HttpEndpoint, { transports, network = 'any' }: HttpModelParts): ModelTransport {
  const transport = createHttpTransport({
    timeout: Math.ceil(endpoint.timeout * 1000),
    idleTimeout: Math.ceil(endpoint.idle_timeout * 1000),
    maxBytes: endpoint.max_answer_bytes,
    network,
  })
  transports.push(transport)
  return transport
}

interface HttpTransportOptions extends AnswerBounds {
  /** `public`: refuses names that resolve to an internal address. @default 'any' */
  network?: 'any' | 'public'
  lookup?: LookupFunction
}

/**
 * Sends model calls over undici's connections, through the environment's proxy and the guard of a network. Its own
 * timers bound a call, so undici's are off.
 */
export function createHttpTransport({
  network = 'any',
  lookup,
  ...bounds
}: HttpTransportOptions): ModelTransport {
  const agent = { headersTimeout: 0, bodyTimeout: 0, connections: null }
  const routes = new OutboundRoutes({ network, agent, ...(lookup && { lookup }) })
  return {
    async send({ method = 'POST', url: address, headers, body, signal }) {
      const { url, dispatcher, host } = await routes.of(address).catch((error: unknown) => {
        throw new UnsentRequestError(error)
      })
      const answer = new AnswerReader(bounds, signal)
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: host === null ? headers : { ...headers, host },
          body: method === 'GET' ? null : body,
        },
        answer,
      )
      return answer.whole
    },
    close: () => routes.close(),
  }
}
