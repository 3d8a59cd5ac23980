import type { EndpointInfo, EndpointOrigin } from '../../core/contracts/catalogue.ts'
import type {
  EndpointConfiguration,
  Price,
  SimulatedEndpoint,
} from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import type { PictureSource } from '../../core/pictures/picture-source.ts'
import { fixedModels, listedModels } from './asked-endpoints.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import { CallsUnderWay } from './calls-under-way.ts'
import type { ChatModel } from './chat-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { TokenProvider } from './endpoint-addresses.ts'
import type { EndpointDirectory } from './endpoint-directory.ts'
import type { EndpointModels } from './endpoint-models.ts'
import { KeyRing, type SecretReader } from './keys/key-ring.ts'
import type { Endpoints, EnvironmentVariables } from './load-endpoints.ts'
import { type ModelClock, modelClock } from './model-clock.ts'
import { mostChoices } from './most-choices.ts'
import type { HttpModelParts } from './open-http-models.ts'
import { priceAt } from './prices.ts'
import type { RateWorld } from './rates/endpoint-rate.ts'
import type { ServedAddresses } from './served-models.ts'
import { tokenSourceOf } from './tokens/token-source.ts'
import type { ModelTransport } from './transport.ts'
import type { ValueModel } from './value-model.ts'

export interface ModelPool {
  /** @throws EspalierError `unknown_endpoint`, or `invalid_request` when its key is missing. */
  model(endpoint: string): ChatModel
  embedding(endpoint: string): EmbeddingModel
  scorer(endpoint: string): ValueModel
  price(endpoint: string, model: string): Price | null
  /** @throws EspalierError `unknown_endpoint` */
  configuration(endpoint: string): EndpointConfiguration
  maxChoices(endpoint: string): number | null
  /** Every endpoint that a tenant may use, as `GET /v1/models` shows it. @default those of every tenant */
  list(tenant?: string): EndpointInfo[]
  /**
   * Reads the endpoints added while the service runs, unless the last read is less than `maxAge` milliseconds old.
   * Calls to models refresh by themselves; `list`, `price`, `configuration` and `maxChoices` use the last read.
   *
   * @default 0
   */
  refresh(maxAge?: number): Promise<void>
  readonly directory: EndpointDirectory | null
  callLog(endpoint: string): CallLog | null
  /** Aborts calls in flight and refuses new ones. Idempotent. */
  close(): Promise<void>
}

export type OpenSimulatedModels = (
  name: string,
  endpoint: SimulatedEndpoint,
  clock: ModelClock,
) => Promise<EndpointModels>

export interface ModelPoolOptions {
  /** Answers for simulated endpoints; without it, they are listed and priced, but cannot be called. */
  simulated?: OpenSimulatedModels
  environment?: EnvironmentVariables
  /** Reads keys stored in AWS; without it, endpoints with such keys cannot be used. */
  secrets?: SecretReader
  /**
   * The world through which workers share `requests_per_minute` and `tokens_per_minute`; without it, they are not
   * enforced.
   */
  rates?: RateWorld
  clock?: ModelClock
  /** Sends the calls of every endpoint. @default a transport for each, over HTTP */
  transport?: ModelTransport
  /** The pictures of prompts; without it, prompts with pictures are refused. */
  pictures?: PictureSource
  directory?: EndpointDirectory
  /** `public`: refuses internal addresses for endpoints of the directory. @default 'any' */
  network?: 'any' | 'public'
  /** Starts the servers of registered models; without it, such endpoints cannot be called. */
  servers?: ServedAddresses
  /** Number of processes that share the `max_concurrency` of endpoints in the directory. @default 1 */
  processes?: number
  tokenProvider?: TokenProvider
}

interface VisibleEndpoint {
  name: string
  configuration: EndpointConfiguration
  origin: EndpointOrigin
}

/**
 * Opens the configured endpoints, and those of the directory beside them. Contacts nothing and reads no key before an
 * endpoint is used.
 *
 * @example
 * const models = openModels(await loadEndpoints({ path, environment: process.env }), { simulated: openSimulatedModels })
 * const answer = await models.model('simulated').complete(request, { meter })
 */
export function openModels(endpoints: Endpoints, options: ModelPoolOptions = {}): ModelPool {
  const { directory, simulated, servers } = options
  const clock = options.clock ?? modelClock
  const environment = options.environment ?? process.env
  const http: HttpModelParts = {
    keys: new KeyRing({ environment, secrets: options.secrets ?? null, now: () => clock.now() }),
    rates: options.rates ?? null,
    clock,
    transport: options.transport ?? null,
    transports: [],
    tokenProvider: options.tokenProvider ?? null,
    pictures: options.pictures ?? null,
  }
  const { network = 'any', processes = 1 } = options
  const parts = { http, simulated, servers, network, processes }
  const opened = new Map<string, EndpointModels>()
  const calls = new CallsUnderWay()

  function modelsOf(name: string): EndpointModels {
    let models = opened.get(name)
    if (models === undefined) {
      const isListed = directory !== undefined && !endpoints.has(name)
      models = isListed
        ? listedModels(name, { directory, calls, parts, unknown: () => find(name) })
        : fixedModels(name, find(name), { calls, parts })
      opened.set(name, models)
    }
    return models
  }

  /** @throws EspalierError `unknown_endpoint`, naming the existing ones */
  function find(name: string): EndpointConfiguration {
    const endpoint = endpoints.get(name) ?? directory?.current().get(name)?.configuration
    if (endpoint !== undefined) return endpoint
    const owned = [...(directory?.current().values() ?? [])].filter(({ tenant }) => tenant === null)
    const choices = new Set([...endpoints.keys(), ...owned.map((each) => each.name)])
    throw new EspalierError('unknown_endpoint', unknownName('There is no endpoint', name, [...choices]), {
      param: 'model.endpoint',
    })
  }

  function visible(tenant?: string): VisibleEndpoint[] {
    const listed = [...(directory?.current().values() ?? [])].filter(
      ({ name, tenant: owner }) =>
        !endpoints.has(name) && (owner === null || tenant === undefined || owner === tenant),
    )
    return [
      ...Array.from(
        endpoints,
        ([name, configuration]): VisibleEndpoint => ({ name, configuration, origin: 'configured' }),
      ),
      ...listed,
    ]
  }

  return {
    model: (name) => modelsOf(name).chat,
    embedding: (name) => modelsOf(name).embedding,
    scorer: (name) => modelsOf(name).scorer,
    configuration: find,
    price: (name, model) => priceOf(find(name), model),
    maxChoices: (name) => mostChoices(find(name)),
    list: (tenant) =>
      visible(tenant).map(({ name, configuration, origin }) => ({
        ...describeEndpoint(name, configuration),
        ...http.keys.state(name, configuration),
        origin,
      })),
    refresh: async (maxAge) => directory?.refresh(maxAge),
    directory: directory ?? null,
    callLog(name) {
      const endpoint = find(name)
      if (endpoint.kind === 'simulated' || endpoint.kind === 'served') return null
      const keys = http.keys.source(name, endpoint)
      return createCallLog(name, endpoint, keys)
    },
    async close() {
      calls.end(new Error('The models were closed.'))
      await Promise.all(http.transports.splice(0).map((transport) => transport.close()))
    },
  }
}

function priceOf(endpoint: EndpointConfiguration, model: string): Price | null {
  return priceAt(endpoint, ownModel(endpoint) ?? model)
}

function ownModel(endpoint: EndpointConfiguration): string | undefined {
  const { kind } = endpoint
  return kind === 'openai' || kind === 'openai-responses' || kind === 'anthropic' ? endpoint.model : undefined
}

function describeEndpoint(
  name: string,
  endpoint: EndpointConfiguration,
): Pick<EndpointInfo, 'id' | 'object' | 'kind' | 'models' | 'priced' | 'tokens'> {
  const models = Object.keys(endpoint.prices ?? {}).filter((model) => model !== '*')
  if (endpoint.kind === 'simulated' && models.length === 0) models.push('simulated')
  if (endpoint.kind === 'served' && models.length === 0) models.push(endpoint.model)
  const asked = ownModel(endpoint)
  if (asked !== undefined) models.splice(0, models.length, asked)
  return {
    id: name,
    object: 'endpoint',
    kind: endpoint.kind,
    models,
    priced: endpoint.kind === 'simulated' || Object.keys(endpoint.prices ?? {}).length > 0,
    tokens: endpoint.kind === 'simulated' ? null : tokenSourceOf(endpoint),
  }
}
