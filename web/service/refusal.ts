import { ApiError } from '../../shared/client/api-error.ts'

/** Whether the service wants a key, or another one than it was shown. */
export function asksForKey(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether what was asked for is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether the service answered, and said no. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
