import { EspalierError } from '../../../shared/core/contracts/errors.ts'

/** The code of the error that the action throws or rejects with; what is no EspalierError is thrown on. */
export async function codeOf(action: () => unknown): Promise<string | null> {
  try {
    await action()
    return null
  } catch (error) {
    if (EspalierError.isInstance(error)) return error.code
    throw error
  }
}
