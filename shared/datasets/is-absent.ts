import { EspalierError } from '../contracts/errors.ts'

/** Whether an error says that what was asked for is not there. */
export function isAbsent(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'not_found'
}
