import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { endpointSchema } from '../shared/models/endpoint-configuration.ts'
import { type Endpoints, type Environment, loadEndpoints } from '../shared/models/load-endpoints.ts'

/** How the built-in simulated model plays. */
export interface SimulatedSettings {
  skill?: number
  latency?: number
  latency_spread?: number
  seed?: number
}

/**
 * The endpoints of a data folder, the simulated one with these settings; where `endpoints.json` states another, that
 * stays as it is.
 *
 * @throws EspalierError `invalid_request` when `endpoints.json` is not as it should be
 */
export async function loadEndpointsWith(
  folder: string,
  environment: Environment,
  settings: SimulatedSettings = {},
): Promise<Endpoints> {
  const endpoints = await loadEndpoints({ path: join(folder, 'endpoints.json'), environment })
  const builtIn = endpointSchema.parse({ kind: 'simulated' })
  if (!isDeepStrictEqual(endpoints.get('simulated'), builtIn)) return endpoints
  return new Map(endpoints).set('simulated', endpointSchema.parse({ ...builtIn, ...settings }))
}
