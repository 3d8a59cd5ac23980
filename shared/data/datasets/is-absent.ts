import { EspalierError } from '../../core/contracts/errors.ts'

export function isAbsent(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'not_found'
}
