import { ApiError } from '../../shared/core/client/api-error.ts'

export function asksForKey(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.code === 'invalid_key')
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

export function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}
