import { EspalierError } from '../contracts/errors.ts'

/** What every call on a closed world ends with. */
export function worldClosed(): EspalierError {
  return new EspalierError('invalid_state', 'This world is closed: open it again before using it.')
}
