import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { endpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import {
  type Endpoints,
  type EnvironmentVariables,
  loadEndpoints,
} from '../shared/play/models/load-endpoints.ts'

export interface SimulatedSettings {
  skill?: number
  latency?: number
  latency_spread?: number
  seed?: number
}

/**
 * The endpoints of a data folder, with these settings for the simulated one unless `endpoints.json` defines it.
 * @throws EspalierError `invalid_request` when `endpoints.json` is invalid, `storage_failed` when it cannot be read
 */
export async function loadEndpointsWith(
  folder: string,
  environment: EnvironmentVariables,
  settings: SimulatedSettings = {},
): Promise<Endpoints> {
  const endpoints = await loadEndpoints({ path: join(folder, 'endpoints.json'), environment }).catch(
    (error: unknown) => {
      throw explain(error, folder)
    },
  )
  const builtIn = endpointSchema.parse({ kind: 'simulated' })
  if (!isDeepStrictEqual(endpoints.get('simulated'), builtIn)) return endpoints
  return new Map(endpoints).set('simulated', endpointSchema.parse({ ...builtIn, ...settings }))
}

function explain(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOTDIR') {
    return new EspalierError(
      'storage_failed',
      `The data folder ${folder} is a file, or lies below one: choose a folder, or a path where one can be made.`,
      { cause: error },
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new EspalierError(
      'storage_failed',
      `${join(folder, 'endpoints.json')} cannot be read. Give this user the right to read it, or choose another data folder.`,
      { cause: error },
    )
  }
  return error
}
