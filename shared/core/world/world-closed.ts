import { EspalierError } from '../contracts/errors.ts'

export function worldClosed(): EspalierError {
  return new EspalierError('invalid_state', 'This world is closed: open it again before using it.')
}
