import { ApiError } from '../../../shared/client/api-error.ts'

/** What the service says of the fields of a part of the request, by their names; the part of the request itself is `''`. */
export type FieldErrors = (part: string) => Record<string, string>

/**
 * The one field that a refusal names, at the place where it is entered.
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
