import type { HttpEndpoint, KeyField } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { parseJson } from '../../../core/contracts/parse-json.ts'
import type { EndpointKey } from '../endpoint-key.ts'
import { missingKey, toApiKey } from './missing-key.ts'
import type { SecretReader } from './secret-reader.ts'

/**
 * Reads an endpoint's key from AWS.
 *
 * @throws EspalierError `invalid_request`, naming the missing part and never a value
 */
export async function readSecretKey(
  name: string,
  endpoint: HttpEndpoint,
  secrets: SecretReader,
): Promise<EndpointKey> {
  if (endpoint.api_key_secret !== undefined) {
    const [secret = '', field] = endpoint.api_key_secret.split('#', 2)
    const text = await read(name, 'api_key_secret', `the secret "${secret}"`, () => secrets.secret(secret))
    const value = field === undefined ? text : fieldOf(text, name, secret, field)
    return toApiKey(value.trim(), name, 'api_key_secret')
  }
  const parameter = endpoint.api_key_parameter ?? ''
  const value = await read(name, 'api_key_parameter', `the parameter "${parameter}"`, () =>
    secrets.parameter(parameter),
  )
  return toApiKey(value.trim(), name, 'api_key_parameter')
}

async function read(
  name: string,
  field: KeyField,
  what: string,
  ask: () => Promise<string>,
): Promise<string> {
  try {
    return await ask()
  } catch (error) {
    const why = EspalierError.isInstance(error)
      ? `: ${error.message}`
      : ` (${error instanceof Error ? error.name : 'unknown error'}).`
    throw missingKey(name, field, `${what} cannot be read${why}`, error)
  }
}

/** A parser's error would quote the secret, so it is not passed on. */
function fieldOf(text: string, name: string, secret: string, field: string): string {
  const value = parseJson(text)
  const found = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const [, key] = found.find(([candidate]) => candidate === field) ?? []
  if (typeof key === 'string') return key
  throw missingKey(
    name,
    'api_key_secret',
    `the secret "${secret}" is no JSON object with a text under "${field}". Store it so, or name the secret alone.`,
  )
}
