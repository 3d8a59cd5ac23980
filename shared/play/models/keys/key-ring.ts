import {
  type EndpointConfiguration,
  type HttpEndpoint,
  type KeyField,
  keyFields,
} from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { EnvironmentVariables } from '../load-endpoints.ts'
import { KeySource } from './key-source.ts'
import { missingKey } from './missing-key.ts'
import { readLocalKey } from './read-local-key.ts'
import { readSecretKey } from './read-secret-key.ts'
import type { SecretReader } from './secret-reader.ts'

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
