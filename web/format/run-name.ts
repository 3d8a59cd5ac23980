import type { Run } from '../../shared/contracts/run.ts'
import { showControls } from './show-controls.ts'

/** The name of a run with visible control characters, or its id. */
export function runName({ id, request }: Pick<Run, 'id' | 'request'>): string {
  return showControls(request.name?.trim() || id)
}
