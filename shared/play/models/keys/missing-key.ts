import type { KeyField } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { EndpointKey } from '../endpoint-key.ts'

export function missingKey(name: string, field: KeyField, what: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', `The endpoint "${name}" has no key: ${what}`, {
    param: `endpoints.${name}.${field}`,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** @throws EspalierError if no header could carry it */
export function toApiKey(value: string, name: string, field: KeyField): EndpointKey {
  if (/^[\x21-\x7e]+$/.test(value)) return new EndpointKey(value)
  throw missingKey(
    name,
    field,
    'the key holds spaces, line breaks or characters that HTTP headers cannot carry.',
  )
}
