import type { ErrorBody } from './error-body.ts'

/**
 * Every error a user can meet, with its HTTP status. The code is part of the API: clients branch on it, so a code is
 * never renamed.
 */
export const errorCodes = {
  invalid_request: 400,
  unknown_field: 400,
  unknown_environment: 400,
  unknown_method: 400,
  unknown_endpoint: 400,
  unknown_task: 400,
  unpriced_endpoint: 400,
  invalid_json: 400,
  missing_key: 401,
  invalid_key: 401,
  missing_scope: 403,
  not_operator: 403,
  invalid_signature: 403,
  foreign_origin: 403,
  not_found: 404,
  unknown_session: 404,
  unknown_host: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  invalid_state: 409,
  idempotency_key_reused: 409,
  conflict: 409,
  session_fenced: 409,
  session_done: 409,
  state_not_kept: 409,
  step_conflict: 409,
  replay_diverged: 409,
  method_unavailable: 409,
  not_supported: 409,
  body_too_large: 413,
  environment_failed: 422,
  limits_exceeded: 422,
  unsupported_media_type: 415,
  endpoint_failed: 502,
  host_full: 503,
  host_draining: 503,
  host_unreachable: 503,
  host_timed_out: 504,
  storage_failed: 507,
  damaged_object: 507,
  internal: 500,
} as const

export type ErrorCode = keyof typeof errorCodes

const marker = Symbol.for('espalier.error')

/**
 * An error whose message is for the user: it names the problem and the way out. Any other thrown error is a bug, and
 * the response is `internal`.
 * @example
 * throw new EspalierError('unknown_environment', `There is no environment "${name}". Choose one of: maze.`, {
 * param: 'environment',
 * })
 */
export class EspalierError extends Error {
  override readonly name: string = 'EspalierError'
  readonly [marker] = true
  readonly code: ErrorCode
  readonly param: string | null

  constructor(code: ErrorCode, message: string, options: { param?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.param = options.param ?? null
  }

  get status(): number {
    return errorCodes[this.code]
  }

  toBody(): ErrorBody {
    const { code, message, param, status } = this
    return { error: { type: typeOf(status), code, message, param } }
  }

  /** Recognises the class across bundles, for which `instanceof` fails because each bundle has its own copy. */
  static isInstance(error: unknown): error is EspalierError {
    return typeof error === 'object' && error !== null && marker in error
  }
}

function typeOf(status: number): ErrorBody['error']['type'] {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 409:
      return 'conflict_error'
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error'
  }
}
