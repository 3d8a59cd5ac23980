import type { EndpointInfo } from '../../core/contracts/catalogue.ts'
import type {
  EndpointAddition,
  EndpointChange,
  EndpointDetail,
  EndpointTest,
  EndpointTestRequest,
} from '../../core/contracts/endpoint.ts'
import { addressesOf } from '../../core/contracts/endpoint.ts'
import { type EndpointConfiguration, endpointSchema } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { isInternalHost } from '../../core/outbound/internal-address.ts'
import type { PictureStore } from '../../core/pictures/picture-store.ts'
import type { EndpointDirectory } from './endpoint-directory.ts'
import type { ModelClock } from './model-clock.ts'
import type { ModelPool } from './model-pool.ts'

export interface EndpointAdministration {
  list(): Promise<EndpointDetail[]>
  /** @throws EspalierError `not_found` */
  get(name: string): Promise<EndpointDetail>
  /**
   * Adds an endpoint, which every process of the service can use immediately.
   *
   * @throws EspalierError `conflict` if the name is taken; `invalid_request` for an address or a key that cannot be
   * used here
   */
  add(request: EndpointAddition): Promise<EndpointDetail>
  /**
   * Changes an added endpoint. Calls in progress finish unchanged.
   *
   * @throws EspalierError `not_found`; `invalid_state` for one of `endpoints.json` or of a served model;
   * `invalid_request` as {@link add} does
   */
  change(name: string, change: EndpointChange): Promise<EndpointDetail>
  /** Removes an added endpoint. Runs that use it pause. @throws EspalierError as {@link change} does */
  remove(name: string): Promise<void>
  /**
   * Asks one short question, once; two more if features are requested.
   *
   * @throws EspalierError `not_found`; `invalid_request` if no model is named and none is known
   */
  test(name: string, request?: EndpointTestRequest): Promise<EndpointTest>
}

export interface EndpointNeeds {
  models: ModelPool
  directory: EndpointDirectory
  /** `public`: refuses internal addresses of the service's network, as in functions. */
  network: 'any' | 'public'
  pictures?: PictureStore
  now: ModelClock['now']
}

export function openEndpoints(needs: EndpointNeeds): EndpointAdministration {
  const { directory, models, network, now, pictures = null } = needs

  async function describe(info: EndpointInfo): Promise<EndpointDetail> {
    const stored = info.origin === 'configured' ? undefined : directory.current().get(info.id)
    return {
      ...info,
      configuration: models.configuration(info.id),
      created_at: stored?.created_at ?? null,
      updated_at: stored?.updated_at ?? null,
    }
  }

  async function find(name: string): Promise<EndpointDetail> {
    await directory.refresh()
    const listed = models.list()
    const info = listed.find(({ id }) => id === name)
    if (info === undefined)
      throw unknownEndpointName(
        name,
        listed.map(({ id }) => id),
      )
    return describe(info)
  }

  async function findAdded(name: string): Promise<EndpointDetail> {
    const found = await find(name)
    if (found.origin === 'api') return found
    const message =
      found.origin === 'served'
        ? `"${name}" is a registered model that is served: espalier models stop ends that.`
        : `"${name}" is configured by endpoints.json or the program. Change that file and start the service again.`
    throw new EspalierError('invalid_state', message, { param: 'endpoint' })
  }

  function check(configuration: EndpointConfiguration): void {
    if (network === 'any' || configuration.kind === 'simulated') return
    for (const [field, address] of addressesOf(configuration)) {
      const { hostname, protocol } = new URL(address)
      if (protocol === 'https:' && !isInternalHost(hostname)) continue
      throw new EspalierError(
        'invalid_request',
        `${address} cannot be an endpoint of this service: functions ask only public addresses over https.`,
        { param: `endpoint.${field}` },
      )
    }
    for (const field of ['api_key_env', 'api_key_file'] as const) {
      if (!(field in configuration) || configuration[field as 'api_key_env'] === undefined) continue
      throw new EspalierError(
        'invalid_request',
        'A function has no such place. Put the key into Secrets Manager and name that as api_key_secret.',
        { param: `endpoint.${field}` },
      )
    }
  }

  return {
    async list() {
      await directory.refresh()
      return Promise.all(models.list().map(describe))
    },
    get: find,
    async add({ name, endpoint }) {
      const configuration = endpointSchema.parse(endpoint)
      check(configuration)
      const isConfigured = models.list().some(({ id, origin }) => id === name && origin === 'configured')
      const added = { name, configuration, origin: 'api' as const, tenant: null }
      if (isConfigured || !(await directory.add(added))) {
        throw new EspalierError(
          'conflict',
          `There is an endpoint "${name}" already. Change that one, or choose another name.`,
          { param: 'name' },
        )
      }
      return find(name)
    },
    async change(name, { endpoint }) {
      const configuration = endpointSchema.parse(endpoint)
      await findAdded(name)
      check(configuration)
      if (!(await directory.change({ name, configuration, origin: 'api', tenant: null })))
        throw unknownEndpointName(name, [])
      return find(name)
    },
    async remove(name) {
      await findAdded(name)
      await directory.remove(name)
    },
    async test(name, { model, features = false } = {}) {
      const { models: known } = await find(name)
      const asked = model ?? known[0]
      if (asked !== undefined) {
        const { testEndpoint } = await import('./test-endpoint.ts')
        return testEndpoint(models.model(name), { endpoint: name, model: asked, features, pictures, now })
      }
      throw new EspalierError(
        'invalid_request',
        `Name the model to ask: the endpoint "${name}" states prices for none, so none is known.`,
        { param: 'model' },
      )
    },
  }
}

function unknownEndpointName(name: string, names: readonly string[]): EspalierError {
  return new EspalierError('not_found', unknownName('There is no endpoint', name, names), {
    param: 'endpoint',
  })
}
