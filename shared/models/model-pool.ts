import type { EndpointInfo } from '../contracts/catalogue.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import type { ChatModel } from './chat-model.ts'
import { describeEndpoint, findEndpoint } from './describe-endpoint.ts'
import type { EndpointConfiguration } from './endpoint-configuration.ts'
import { KeyRing } from './keys/key-ring.ts'
import type { SecretReader } from './keys/secret-reader.ts'
import { linkSignals } from './link-signals.ts'
import type { Endpoints, Environment } from './load-endpoints.ts'
import { type ModelClock, modelClock } from './model-clock.ts'
import type { HttpModelParts } from './open-http-model.ts'
import type { Fetch, TokenProvider } from './openai-client.ts'
import { findPrice, type Price } from './prices.ts'
import type { RateWorld } from './rates/endpoint-rate.ts'
import { simulatedPrices } from './simulated/simulated-prices.ts'

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
  /** Reads keys that are kept in AWS; without it, endpoints with such keys cannot be used. */
  secrets?: SecretReader
  /** Through which workers share `requests_per_minute` and `tokens_per_minute`; without it, nobody is held to them. */
  rates?: RateWorld
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
  const clock = options.clock ?? modelClock
  const environment = options.environment ?? process.env
  const parts: HttpModelParts = {
    keys: new KeyRing({ environment, secrets: options.secrets ?? null, now: () => clock.now() }),
    rates: options.rates ?? null,
    clock,
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
    list: () =>
      [...endpoints].map(([name, endpoint]) =>
        describeEndpoint(name, endpoint, parts.keys.state(name, endpoint)),
      ),
    callLog(name) {
      const endpoint = findEndpoint(endpoints, name)
      if (endpoint.kind === 'simulated') return null
      const keys = parts.keys.source(name, endpoint)
      return createCallLog(name, endpoint, { keys, fetch: parts.fetch ?? globalThis.fetch })
    },
    async close() {
      closing.abort(new Error('The models were closed.'))
      await Promise.all(parts.connections.splice(0).map((connection) => connection.close()))
    },
  }
}

function priceOf(endpoint: EndpointConfiguration, model: string): Price | null {
  return findPrice(endpoint.kind === 'simulated' ? simulatedPrices(endpoint) : endpoint.prices, model)
}

function createModel(name: string, endpoint: EndpointConfiguration, parts: HttpModelParts): ChatModel {
  if (endpoint.kind === 'simulated') {
    return whenFirstAsked(async () => {
      const { createSimulatedChatModel } = await import('./simulated/simulated-chat-model.ts')
      return createSimulatedChatModel(name, endpoint, parts.clock)
    })
  }
  const keys = parts.keys.source(name, endpoint)
  return whenFirstAsked(async () => {
    const { openHttpModel } = await import('./open-http-model.ts')
    return openHttpModel(name, endpoint, keys, parts)
  })
}

/** Reads the code of a model when it is first asked: most functions ask none, and it is the largest part of what they would read. */
function whenFirstAsked(open: () => Promise<ChatModel>): ChatModel {
  let opening: Promise<ChatModel> | undefined
  return {
    async complete(request, options) {
      opening ??= open()
      return (await opening).complete(request, options)
    },
  }
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
