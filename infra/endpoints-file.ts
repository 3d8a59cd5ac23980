import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointConfiguration } from '../shared/core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { loadEndpoints } from '../shared/play/models/load-endpoints.ts'

/**
 * Finds and checks `endpoints.{stage}.json`, or else `endpoints.json`: a mistake stops the deployment, not the first
 * run.
 *
 * @returns its path. Null if there is none: the stage then has only the simulated model
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function findEndpointsFile(folder: string, stage: string): Promise<string | null> {
  const path = [`endpoints.${stage}.json`, 'endpoints.json']
    .map((name) => join(folder, name))
    .find((candidate) => existsSync(candidate))
  if (path === undefined) return null
  for (const [name, endpoint] of await loadEndpoints({ path, environment: {}, onlyKeyed: true })) {
    const mistake = mistakeFor(endpoint, stage)
    if (mistake === null) continue
    const param = `endpoints.${name}.${mistake.field}`
    throw new EspalierError('invalid_request', `${path}: ${param}: ${mistake.message}`, { param })
  }
  return path
}

function mistakeFor(
  endpoint: EndpointConfiguration,
  stage: string,
): { field: string; message: string } | null {
  if (endpoint.kind === 'simulated') return null
  const prefix = `espalier/${stage}/`
  const instead = `Put the key into Secrets Manager as "${prefix}…" and name that as api_key_secret.`
  for (const field of ['api_key_env', 'api_key_file'] as const) {
    if (endpoint[field] !== undefined) return { field, message: `A function has none. ${instead}` }
  }
  if (endpoint.kind === 'azure' && endpoint.token_provider !== undefined) {
    return { field: 'token_provider', message: `Functions do not carry @azure/identity. ${instead}` }
  }
  return misplacedKey(endpoint, prefix)
}

function misplacedKey(endpoint: object, prefix: string): { field: string; message: string } | null {
  for (const field of ['api_key_secret', 'api_key_parameter']) {
    const name: unknown = Reflect.get(endpoint, field)
    if (typeof name !== 'string') continue
    const wanted = field === 'api_key_parameter' ? `/${prefix}` : prefix
    if (!name.startsWith(wanted)) return { field, message: `The name must begin with "${wanted}".` }
  }
  return null
}
