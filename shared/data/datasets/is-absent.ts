import { EspalierError } from '../../core/contracts/errors.ts'

export function isAbsent(error: unknown): error is EspalierError {
  return EspalierError.isInstance(error) && error.code === 'not_found'
}
