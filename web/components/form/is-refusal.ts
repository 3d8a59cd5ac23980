import { ApiError } from '../../../shared/core/client/api-error.ts'

/**
 * True if the service rejected the request itself (status below 500), so the request must change. False if the
 * service failed or is unreachable.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
