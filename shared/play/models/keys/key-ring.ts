import { readFileSync, statSync } from 'node:fs'
import {
  type EndpointConfiguration,
  type HttpEndpoint,
  type KeyField,
  keyFields,
} from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { parseJson } from '../../../core/contracts/parse-json.ts'
import { EndpointKey } from '../endpoint-key.ts'
import type { EnvironmentVariables } from '../load-endpoints.ts'
import { KeySource } from './key-source.ts'

export interface KeyRingOptions {
  environment: EnvironmentVariables
  /** null: keys stored in AWS cannot be read here. */
  secrets: SecretReader | null
  now: () => number
}

export interface KeyState {
  ready: boolean
  note: string | null
}

export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #sources = new Map<string, KeySource>()

  constructor(options: KeyRingOptions) {
    this.#options = options
  }

  /**
   * The key of an endpoint, read on first use; null if the endpoint names none, as local servers do.
   *
   * @throws EspalierError `invalid_request` if the key is evidently missing
   */
  source(name: string, endpoint: HttpEndpoint): KeySource | null {
    // An endpoint can change while the service runs, and its key then moves.
    const place = JSON.stringify([name, ...keyFields.map((field) => endpoint[field] ?? null)])
    const found = this.#sources.get(place)
    if (found !== undefined) return found
    const source = this.#open(name, endpoint)
    if (source !== null) this.#sources.set(place, source)
    return source
  }

  /** Checks variables and files again, and the last known state of keys in AWS, which a check never reads. */
  state(name: string, endpoint: EndpointConfiguration): KeyState {
    if (endpoint.kind === 'simulated' || endpoint.kind === 'served') return { ready: true, note: null }
    try {
      if (secretField(endpoint) === null) {
        readLocalKey(name, endpoint, this.#options.environment)
        return { ready: true, note: null }
      }
      const { read, failure } = this.source(name, endpoint)?.state ?? { read: true, failure: null }
      if (read || failure !== null) return { ready: read, note: failure }
      return { ready: true, note: 'Its key is in AWS, and is read when it is first used.' }
    } catch (error) {
      if (EspalierError.isInstance(error)) return { ready: false, note: error.message }
      throw error
    }
  }

  #open(name: string, endpoint: HttpEndpoint): KeySource | null {
    const { environment, now, secrets } = this.#options
    const field = secretField(endpoint)
    if (field === null) {
      const key = readLocalKey(name, endpoint, environment)
      if (key === null) return null
      return new KeySource(async () => readLocalKey(name, endpoint, environment) ?? key, now, key)
    }
    if (secrets !== null) return new KeySource(() => readSecretKey(name, endpoint, secrets), now)
    throw missingKey(
      name,
      field,
      `it is kept in AWS as "${endpoint[field]}", and this service runs without AWS. Name a variable as api_key_env or a file as api_key_file.`,
    )
  }
}

function secretField(endpoint: HttpEndpoint): KeyField | null {
  if (endpoint.api_key_secret !== undefined) return 'api_key_secret'
  return endpoint.api_key_parameter === undefined ? null : 'api_key_parameter'
}

/**
 * Reads an endpoint's key from a variable or a file of this machine.
 *
 * @returns null if the endpoint names neither
 * @throws EspalierError `invalid_request`, naming the missing part and never a value
 */
function readLocalKey(
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

/**
 * Reads an endpoint's key from AWS.
 *
 * @throws EspalierError `invalid_request`, naming the missing part and never a value
 */
async function readSecretKey(
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

function missingKey(name: string, field: KeyField, what: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', `The endpoint "${name}" has no key: ${what}`, {
    param: `endpoints.${name}.${field}`,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** @throws EspalierError if no header could carry it */
function toApiKey(value: string, name: string, field: KeyField): EndpointKey {
  if (/^[\x21-\x7e]+$/.test(value)) return new EndpointKey(value)
  throw missingKey(
    name,
    field,
    'the key holds spaces, line breaks or characters that HTTP headers cannot carry.',
  )
}

/** Reads keys stored outside this machine. Its errors must never hold a value. */
export interface SecretReader {
  secret(name: string): Promise<string>
  parameter(name: string): Promise<string>
}
