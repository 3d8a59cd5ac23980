import { EspalierError } from '../../../shared/contracts/errors.ts'

/** The code of the error that the action throws; what is no EspalierError is thrown on. */
export function codeOf(action: () => unknown): string | null {
  try {
    action()
    return null
  } catch (error) {
    if (EspalierError.isInstance(error)) return error.code
    throw error
  }
}
