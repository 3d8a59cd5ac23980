import { EspalierError } from '../contracts/errors.ts'

/**
 * A host could not be launched because there is no machine for it now, or because the account may run no more. A
 * later launch may succeed.
 */
export class NoCapacityError extends EspalierError {
  override readonly name = 'NoCapacityError'

  constructor(message: string) {
    super('storage_failed', message)
  }
}
