import { readFileSync, statSync } from 'node:fs'
import { EspalierError } from '../contracts/errors.ts'
import type { HttpEndpoint } from './endpoint-configuration.ts'
import type { Environment } from './load-endpoints.ts'

/** A key that shows itself nowhere: printing it, or turning it into JSON, gives `[secret]`. */
export class ApiKey {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The key itself, for the client that sends it. */
  reveal(): string {
    return this.#value
  }

  /** The text with every copy of the key taken out: servers repeat keys in their errors. */
  redact(text: string): string {
    return text.replaceAll(this.#value, '[secret]')
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }
}

/**
 * Reads the key that an endpoint names.
 *
 * @returns null where the endpoint names none, as local servers do.
 * @throws EspalierError `invalid_request`, saying what is missing and never what is there.
 */
export function readApiKey(name: string, endpoint: HttpEndpoint, environment: Environment): ApiKey | null {
  if (endpoint.api_key_env !== undefined) {
    const value = environment[endpoint.api_key_env]?.trim()
    if (value) return checked(value, name, 'api_key_env')
    throw failure(name, 'api_key_env', `the environment variable ${endpoint.api_key_env} is not set.`)
  }
  if (endpoint.api_key_file === undefined) return null
  const value = readKeyFile(name, endpoint.api_key_file).trim()
  if (value) return checked(value, name, 'api_key_file')
  throw failure(name, 'api_key_file', `${endpoint.api_key_file} is empty.`)
}

function readKeyFile(name: string, path: string): string {
  try {
    const mode = statSync(path).mode & 0o777
    if ((mode & 0o077) !== 0) {
      const found = mode.toString(8).padStart(3, '0')
      throw failure(name, 'api_key_file', `others may read ${path} (mode ${found}). Run: chmod 600 '${path}'`)
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw failure(name, 'api_key_file', `${path} cannot be read (${code}).`)
  }
}

function checked(value: string, name: string, field: string): ApiKey {
  if (/^[\x21-\x7e]+$/.test(value)) return new ApiKey(value)
  throw failure(
    name,
    field,
    'the key holds spaces, line breaks or characters that HTTP headers cannot carry.',
  )
}

function failure(name: string, field: string, what: string): EspalierError {
  return new EspalierError('invalid_request', `The endpoint "${name}" has no key: ${what}`, {
    param: `endpoints.${name}.${field}`,
  })
}
