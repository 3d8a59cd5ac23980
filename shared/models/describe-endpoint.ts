import type { EndpointInfo } from '../contracts/catalogue.ts'
import { EspalierError } from '../contracts/errors.ts'
import { readApiKey } from './api-key.ts'
import type { EndpointConfiguration } from './endpoint-configuration.ts'
import type { Endpoints, Environment } from './load-endpoints.ts'

/** An endpoint as `GET /v1/models` shows it: what is missing where it is not ready, and never a key. */
export function describeEndpoint(
  name: string,
  endpoint: EndpointConfiguration,
  environment: Environment,
): EndpointInfo {
  const models = Object.keys(endpoint.prices ?? {}).filter((model) => model !== '*')
  if (endpoint.kind === 'simulated' && models.length === 0) models.push('simulated')
  const note = missing(name, endpoint, environment)
  return {
    id: name,
    object: 'endpoint',
    kind: endpoint.kind,
    models,
    priced: endpoint.kind === 'simulated' || Object.keys(endpoint.prices ?? {}).length > 0,
    ready: note === null,
    note,
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

function missing(name: string, endpoint: EndpointConfiguration, environment: Environment): string | null {
  if (endpoint.kind === 'simulated') return null
  try {
    readApiKey(name, endpoint, environment)
    return null
  } catch (error) {
    if (EspalierError.isInstance(error)) return error.message
    throw error
  }
}
