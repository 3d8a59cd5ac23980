import type { HttpEndpoint, Price } from '../../core/contracts/endpoint-configuration.ts'
import type { PictureSource } from '../../core/pictures/picture-source.ts'
import { AdaptiveLimiter } from './adaptive-limiter.ts'
import { AddressPool } from './address-pool.ts'
import { sentSampling } from './answer-defaults.ts'
import { ClassifierValueModel } from './classifier-value-model.ts'
import { EndpointClient } from './endpoint-client.ts'
import type { EndpointModels } from './endpoint-models.ts'
import { createHttpFetch, type HttpFetch } from './http-fetch.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { KeySource } from './keys/key-source.ts'
import type { ModelClock } from './model-clock.ts'
import { OpenAiChatModel } from './openai-chat-model.ts'
import {
  azureIdentityProvider,
  callIdHeader,
  createClients,
  type Fetch,
  maxTokensField,
  type TokenProvider,
} from './openai-client.ts'
import { OpenAiEmbeddingModel } from './openai-embedding-model.ts'
import { findPrice } from './prices.ts'
import { EndpointRate, type RateWorld } from './rates/endpoint-rate.ts'
import { quotaOf } from './rates/quota.ts'
import { picturesFor } from './wire-messages.ts'

export interface HttpModelParts {
  clock: ModelClock
  keys: KeyRing
  rates: RateWorld | null
  /** null: each endpoint gets its own. */
  fetch: Fetch | null
  connections: HttpFetch[]
  tokenProvider: TokenProvider | null
  /** null: prompts with pictures are refused. */
  pictures: PictureSource | null
  /** `public`: refuses internal addresses. @default 'any' */
  network?: 'any' | 'public'
}

export function openHttpModels(
  name: string,
  endpoint: HttpEndpoint,
  keys: KeySource | null,
  parts: HttpModelParts,
): EndpointModels {
  const { clock, rates } = parts
  const quota = quotaOf(endpoint)
  const now = () => clock.now()
  const price = (model: string): Price | null => findPrice(endpoint.prices, model)
  const dispatches = new DispatchLog(parts.fetch ?? connect(endpoint, parts))
  const withTokens = endpoint.kind === 'azure' && endpoint.token_provider !== undefined
  const tokenProvider = withTokens ? (parts.tokenProvider ?? azureIdentityProvider()) : null
  const clients = createClients(endpoint, { keyed: keys !== null, fetch: dispatches.fetch, tokenProvider })
  const client = new EndpointClient({
    endpoint: name,
    addresses: new AddressPool(clients, now),
    limiter: new AdaptiveLimiter({ maximum: endpoint.max_concurrency, now }),
    rate: quota === null || rates === null ? null : new EndpointRate(name, quota, rates),
    keys,
    kind: endpoint.kind,
    maxRetries: endpoint.max_retries,
    clock,
    takeDispatched: (id) => dispatches.take(id),
  })
  const models: EndpointModels = {
    chat: new OpenAiChatModel(client, {
      endpoint: name,
      price,
      sendSeed: endpoint.seed,
      sentSampling: (choice) => sentSampling(endpoint, choice),
      sendStop: endpoint.stop ?? null,
      turns: endpoint,
      maxTokensField: (model) => maxTokensField(endpoint, model),
      maxChoices: endpoint.max_choices ?? null,
      pictures: picturesFor(endpoint, parts.pictures),
    }),
    embedding: new OpenAiEmbeddingModel(client, price),
    scorer: new ClassifierValueModel(client, price),
  }
  return endpoint.kind === 'openai' && endpoint.model !== undefined ? asking(endpoint.model, models) : models
}

function asking(model: string, { chat, embedding, scorer }: EndpointModels): EndpointModels {
  return {
    chat: { complete: (request, options) => chat.complete({ ...request, model }, options) },
    embedding: { embed: (request, options) => embedding.embed({ ...request, model }, options) },
    scorer: { score: (request, options) => scorer.score({ ...request, model }, options) },
  }
}

function connect(endpoint: HttpEndpoint, { connections, network = 'any' }: HttpModelParts): Fetch {
  const connection = createHttpFetch({
    timeout: Math.ceil(endpoint.timeout * 1000),
    idleTimeout: Math.ceil(endpoint.idle_timeout * 1000),
    maxBytes: endpoint.max_answer_bytes,
    network,
  })
  connections.push(connection)
  return connection.fetch
}

/**
 * Tracks which calls reached `fetch`. A call that failed earlier, for example without a token, cannot have been paid.
 */
class DispatchLog {
  readonly #fetch: Fetch
  readonly #dispatched = new Set<string>()

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  readonly fetch: Fetch = (address, init) => {
    const headers = init?.headers
    const id = (headers instanceof Headers ? headers : new Headers(headers)).get(callIdHeader)
    if (id !== null) this.#dispatched.add(id)
    return this.#fetch(address, init)
  }

  take(id: string): boolean {
    return this.#dispatched.delete(id)
  }
}
