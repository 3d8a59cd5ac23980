import type { EndpointInfo } from '../contracts/catalogue.ts'
import { EspalierError } from '../contracts/errors.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import { CallsUnderWay } from './calls-under-way.ts'
import type { CallOptions, ChatModel } from './chat-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { EndpointConfiguration, SimulatedEndpoint } from './endpoint-configuration.ts'
import type { EndpointModels } from './endpoint-models.ts'
import { KeyRing, type KeyState } from './keys/key-ring.ts'
import type { SecretReader } from './keys/secret-reader.ts'
import type { Endpoints, EnvironmentVariables } from './load-endpoints.ts'
import { type ModelClock, modelClock } from './model-clock.ts'
import type { HttpModelParts } from './open-http-models.ts'
import type { Fetch, TokenProvider } from './openai-client.ts'
import { findPrice, type Price, simulatedPrices } from './prices.ts'
import type { RateWorld } from './rates/endpoint-rate.ts'
import type { ValueModel } from './value-model.ts'

/** The models of a process: one of each kind for each endpoint, made when it is first asked for and shared from then on. */
export interface ModelPool {
  /**
   * @throws EspalierError `unknown_endpoint`, or `invalid_request` when its key is missing.
   */
  model(endpoint: string): ChatModel
  /** Its embeddings; throws as {@link model} does. */
  embedding(endpoint: string): EmbeddingModel
  /** Its trained values; throws as {@link model} does. */
  scorer(endpoint: string): ValueModel
  /** The price of a model, or null where the endpoint states none. */
  price(endpoint: string, model: string): Price | null
  /** How an endpoint is configured. @throws EspalierError `unknown_endpoint` */
  configuration(endpoint: string): EndpointConfiguration
  /** How many choices of one prompt a request to the endpoint asks for at most; null: all that are wanted. */
  maxChoices(endpoint: string): number | null
  /** Every endpoint, as `GET /v1/models` shows it. */
  list(): EndpointInfo[]
  /** Asks what became of a call whose process died; null for endpoints without a call log. */
  callLog(endpoint: string): CallLog | null
  /** Calls in flight end as aborted, and no more are taken. Idempotent. */
  close(): Promise<void>
}

/** Opens the models of a simulated endpoint. */
export type OpenSimulatedModels = (
  name: string,
  endpoint: SimulatedEndpoint,
  clock: ModelClock,
) => Promise<EndpointModels>

export interface ModelPoolOptions {
  /** What answers for simulated endpoints; without it, they are listed and priced, but cannot be asked. */
  simulated?: OpenSimulatedModels
  /** Where keys are found; `process.env` unless given. */
  environment?: EnvironmentVariables
  /** Reads keys that are kept in AWS; without it, endpoints with such keys cannot be used. */
  secrets?: SecretReader
  /** Through which workers share `requests_per_minute` and `tokens_per_minute`; without it, they are not enforced. */
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
 * const models = openModels(await loadEndpoints({ path, environment: process.env }), { simulated: openSimulatedModels })
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
  const opened = new Map<string, EndpointModels>()
  const calls = new CallsUnderWay()
  const modelsOf = (name: string): EndpointModels => {
    let models = opened.get(name)
    if (models === undefined) {
      models = whenFirstAsked(opener(name, findEndpoint(endpoints, name), parts, options.simulated), calls)
      opened.set(name, models)
    }
    return models
  }
  return {
    model: (name) => modelsOf(name).chat,
    embedding: (name) => modelsOf(name).embedding,
    scorer: (name) => modelsOf(name).scorer,
    configuration: (name) => findEndpoint(endpoints, name),
    price: (name, model) => priceOf(findEndpoint(endpoints, name), model),
    maxChoices: (name) => {
      const endpoint = findEndpoint(endpoints, name)
      return endpoint.kind === 'simulated' ? null : (endpoint.max_choices ?? null)
    },
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
      calls.end(new Error('The models were closed.'))
      await Promise.all(parts.connections.splice(0).map((connection) => connection.close()))
    },
  }
}

function priceOf(endpoint: EndpointConfiguration, model: string): Price | null {
  return findPrice(endpoint.kind === 'simulated' ? simulatedPrices(endpoint) : endpoint.prices, model)
}

type Opener = () => Promise<EndpointModels>

function opener(
  name: string,
  endpoint: EndpointConfiguration,
  parts: HttpModelParts,
  openSimulated: OpenSimulatedModels | undefined,
): Opener {
  if (endpoint.kind === 'simulated') {
    return async () => {
      if (openSimulated === undefined)
        throw new Error(`The simulated models of "${name}" were not given to openModels.`)
      return openSimulated(name, endpoint, parts.clock)
    }
  }
  const keys = parts.keys.source(name, endpoint)
  return async () => {
    const { openHttpModels } = await import('./open-http-models.ts')
    return openHttpModels(name, endpoint, keys, parts)
  }
}

/**
 * Models until they are closed. Their code is read when one is first asked: most functions ask none, and it is the
 * largest part of what they would read.
 */
function whenFirstAsked(open: Opener, calls: CallsUnderWay): EndpointModels {
  let opening: Promise<EndpointModels> | undefined
  const ask = <Answer>(
    { signal: caller, ...others }: CallOptions,
    call: (models: EndpointModels, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> =>
    calls.run(caller, async (signal) => {
      opening ??= open()
      return call(await opening, { ...others, signal })
    })
  return {
    chat: {
      complete: (request, options) => ask(options, ({ chat }, until) => chat.complete(request, until)),
    },
    embedding: {
      embed: (request, options) => ask(options, ({ embedding }, until) => embedding.embed(request, until)),
    },
    scorer: {
      score: (request, options) => ask(options, ({ scorer }, until) => scorer.score(request, until)),
    },
  }
}

/** An endpoint as `GET /v1/models` shows it: what is missing where it is not ready, and never a key. */
export function describeEndpoint(name: string, endpoint: EndpointConfiguration, key: KeyState): EndpointInfo {
  const models = Object.keys(endpoint.prices ?? {}).filter((model) => model !== '*')
  if (endpoint.kind === 'simulated' && models.length === 0) models.push('simulated')
  return {
    id: name,
    object: 'endpoint',
    kind: endpoint.kind,
    models,
    priced: endpoint.kind === 'simulated' || Object.keys(endpoint.prices ?? {}).length > 0,
    ...key,
  }
}

/** @throws EspalierError `unknown_endpoint`, naming the endpoints there are. */
export function findEndpoint(endpoints: Endpoints, name: string): EndpointConfiguration {
  const endpoint = endpoints.get(name)
  if (endpoint !== undefined) return endpoint
  const choices = [...endpoints.keys()].join(', ')
  throw new EspalierError('unknown_endpoint', `There is no endpoint "${name}". Choose one of: ${choices}.`, {
    param: 'model.endpoint',
  })
}
