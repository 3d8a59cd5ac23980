import type { EndpointInfo } from '../contracts/catalogue.ts'
import { AdaptiveLimiter } from './adaptive-limiter.ts'
import { AddressPool } from './address-pool.ts'
import { type ApiKey, readApiKey } from './api-key.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import type { ChatModel } from './chat-model.ts'
import { describeEndpoint, findEndpoint } from './describe-endpoint.ts'
import { DispatchLog } from './dispatch-log.ts'
import type { EndpointConfiguration, HttpEndpoint } from './endpoint-configuration.ts'
import { createHttpFetch, type HttpFetch } from './http-fetch.ts'
import { linkSignals } from './link-signals.ts'
import type { Endpoints, Environment } from './load-endpoints.ts'
import { type ModelClock, modelClock } from './model-clock.ts'
import { OpenAiChatModel } from './openai-chat-model.ts'
import {
  azureIdentityProvider,
  createClients,
  type Fetch,
  maxTokensField,
  type TokenProvider,
} from './openai-client.ts'
import { findPrice, type Price } from './prices.ts'
import { createSimulatedChatModel, simulatedPrices } from './simulated/simulated-chat-model.ts'

/** The models of a process: one ChatModel for each endpoint, made when it is first asked for and shared from then on. */
export interface ModelPool {
  /**
   * @throws EspalierError `unknown_endpoint`, or `invalid_request` when its key is missing.
   */
  model(endpoint: string): ChatModel
  /** The price of a model, or null where the endpoint states none. */
  price(endpoint: string, model: string): Price | null
  /** Every endpoint, as `GET /v1/models` shows it. */
  list(): EndpointInfo[]
  /** Asks what became of a call whose process died; null for endpoints without a call log. */
  callLog(endpoint: string): CallLog | null
  /** Calls in flight end as aborted, and no more are taken. Idempotent. */
  close(): Promise<void>
}

export interface ModelPoolOptions {
  /** Where keys are found; `process.env` unless given. */
  environment?: Environment
  clock?: ModelClock
  fetch?: Fetch
  /** Tokens for Azure endpoints with a `token_provider`, in place of Azure's own credential chain. */
  tokenProvider?: TokenProvider
}

/**
 * Opens the configured endpoints. Nothing is contacted and no key is read before an endpoint is used.
 *
 * @example
 * const models = openModels(await loadEndpoints({ path, environment: process.env }))
 * const answer = await models.model('simulated').complete(request, { meter })
 */
export function openModels(endpoints: Endpoints, options: ModelPoolOptions = {}): ModelPool {
  const parts: Parts = {
    environment: options.environment ?? process.env,
    clock: options.clock ?? modelClock,
    fetch: options.fetch ?? null,
    connections: [],
    tokenProvider: options.tokenProvider ?? null,
  }
  const models = new Map<string, ChatModel>()
  const closing = new AbortController()
  return {
    model(name) {
      let model = models.get(name)
      if (model === undefined) {
        model = untilClosed(createModel(name, findEndpoint(endpoints, name), parts), closing.signal)
        models.set(name, model)
      }
      return model
    },
    price: (name, model) => priceOf(findEndpoint(endpoints, name), model),
    list: () => [...endpoints].map(([name, endpoint]) => describeEndpoint(name, endpoint, parts.environment)),
    callLog(name) {
      const endpoint = findEndpoint(endpoints, name)
      if (endpoint.kind === 'simulated') return null
      const key = readApiKey(name, endpoint, parts.environment)
      return createCallLog(name, endpoint, { key, fetch: parts.fetch ?? globalThis.fetch })
    },
    async close() {
      closing.abort(new Error('The models were closed.'))
      await Promise.all(parts.connections.splice(0).map((connection) => connection.close()))
    },
  }
}

interface Parts extends Required<Pick<ModelPoolOptions, 'environment' | 'clock'>> {
  /** null: each endpoint gets its own. */
  fetch: Fetch | null
  /** Those that were made, to be closed. */
  connections: HttpFetch[]
  tokenProvider: TokenProvider | null
}

function priceOf(endpoint: EndpointConfiguration, model: string): Price | null {
  return findPrice(endpoint.kind === 'simulated' ? simulatedPrices(endpoint) : endpoint.prices, model)
}

function createModel(name: string, endpoint: EndpointConfiguration, parts: Parts): ChatModel {
  if (endpoint.kind === 'simulated') return createSimulatedChatModel(name, endpoint, parts.clock)
  const key = readApiKey(name, endpoint, parts.environment)
  return createHttpModel(name, endpoint, key, parts)
}

function createHttpModel(name: string, endpoint: HttpEndpoint, key: ApiKey | null, parts: Parts): ChatModel {
  const { clock } = parts
  const now = () => clock.now()
  const dispatches = new DispatchLog(parts.fetch ?? connect(endpoint, parts))
  const withTokens = endpoint.kind === 'azure' && endpoint.token_provider !== undefined
  const tokenProvider = withTokens ? (parts.tokenProvider ?? azureIdentityProvider()) : null
  const clients = createClients(endpoint, { key, fetch: dispatches.fetch, tokenProvider })
  return new OpenAiChatModel({
    endpoint: name,
    addresses: new AddressPool(clients, now),
    limiter: new AdaptiveLimiter({ maximum: endpoint.max_concurrency, now }),
    price: (model) => findPrice(endpoint.prices, model),
    key,
    maxRetries: endpoint.max_retries,
    sendSeed: endpoint.seed,
    maxTokensField: maxTokensField(endpoint),
    clock,
    takeDispatched: (id) => dispatches.take(id),
  })
}

function connect(endpoint: HttpEndpoint, { connections }: Parts): Fetch {
  const connection = createHttpFetch(Math.ceil(endpoint.timeout * 1000))
  connections.push(connection)
  return connection.fetch
}

function untilClosed(model: ChatModel, closed: AbortSignal): ChatModel {
  return {
    async complete(request, { meter, signal }) {
      const linked = linkSignals(signal === undefined ? [closed] : [signal, closed])
      try {
        return await model.complete(request, { meter, signal: linked.signal })
      } finally {
        linked.unlink()
      }
    },
  }
}
