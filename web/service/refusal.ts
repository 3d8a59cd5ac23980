import { ApiError } from '../../shared/client/api-error.ts'

/** True if the service requires an API key, or rejects the current one. */
export function asksForKey(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** True if the service answered with a refusal (status below 500). */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
