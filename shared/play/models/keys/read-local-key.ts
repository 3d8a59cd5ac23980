import { readFileSync, statSync } from 'node:fs'
import type { HttpEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { EndpointKey } from '../endpoint-key.ts'
import type { EnvironmentVariables } from '../load-endpoints.ts'
import { missingKey, toApiKey } from './missing-key.ts'

/**
 * Reads an endpoint's key from a variable or a file of this machine.
 *
 * @returns null if the endpoint names neither
 * @throws EspalierError `invalid_request`, naming the missing part and never a value
 */
export function readLocalKey(
  name: string,
  endpoint: HttpEndpoint,
  environment: EnvironmentVariables,
): EndpointKey | null {
  if (endpoint.api_key_env !== undefined) {
    const value = environment[endpoint.api_key_env]?.trim()
    if (value) return toApiKey(value, name, 'api_key_env')
    throw missingKey(name, 'api_key_env', `the environment variable ${endpoint.api_key_env} is not set.`)
  }
  if (endpoint.api_key_file === undefined) return null
  const value = readKeyFile(name, endpoint.api_key_file).trim()
  if (value) return toApiKey(value, name, 'api_key_file')
  throw missingKey(name, 'api_key_file', `${endpoint.api_key_file} is empty.`)
}

function readKeyFile(name: string, path: string): string {
  try {
    const mode = statSync(path).mode & 0o777
    if ((mode & 0o077) !== 0) {
      const found = mode.toString(8).padStart(3, '0')
      throw missingKey(
        name,
        'api_key_file',
        `others may read ${path} (mode ${found}). Run: chmod 600 '${path}'`,
      )
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw missingKey(name, 'api_key_file', `${path} cannot be read (${code}).`)
  }
}
