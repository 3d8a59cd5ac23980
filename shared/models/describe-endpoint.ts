import type { EndpointInfo } from '../contracts/catalogue.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { EndpointConfiguration } from './endpoint-configuration.ts'
import type { KeyState } from './keys/key-ring.ts'
import type { Endpoints } from './load-endpoints.ts'

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
