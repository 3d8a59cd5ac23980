import { ApiError } from '../../../shared/core/client/api-error.ts'

export type FieldErrors = (part: string) => Record<string, string>

export function fieldErrors(error: unknown): FieldErrors {
  const param = error instanceof ApiError ? error.param : null
  if (param === null) return () => ({})
  const path = param.replaceAll(/\[\d+\]/g, '').split('.')
  const name = path.pop() ?? ''
  const at = path.join('.')
  const { message } = error as ApiError
  return (part) => (part === at ? { [name]: message } : {})
}
