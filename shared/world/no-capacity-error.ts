import { EspalierError } from '../contracts/errors.ts'

/**
 * A host that could not be launched because there is no machine for it now, or because the account may run no more. The same
 * launch may go well later.
 */
export class NoCapacityError extends EspalierError {
  override readonly name = 'NoCapacityError'

  constructor(message: string) {
    super('storage_failed', message)
  }
}
