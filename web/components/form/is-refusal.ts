import { ApiError } from '../../../shared/client/api-error.ts'

/** Whether the service answered that what was asked for has to change; not where it failed or is away. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
