import { ApiError } from '../../../shared/client/api-error.ts'

/**
 * Returns the service's errors of one part of the request, by field name. The error of the part itself has the name
 * `''`.
 */
export type FieldErrors = (part: string) => Record<string, string>

/**
 * Maps a refusal to the one field that it names.
 *
 * @example
 * fieldErrors(error)('tasks') // { ids: '"tasks.ids[3]" must be …' }
 */
export function fieldErrors(error: unknown): FieldErrors {
  const param = error instanceof ApiError ? error.param : null
  if (param === null) return () => ({})
  const path = param.replaceAll(/\[\d+\]/g, '').split('.')
  const name = path.pop() ?? ''
  const at = path.join('.')
  const { message } = error as ApiError
  return (part) => (part === at ? { [name]: message } : {})
}
