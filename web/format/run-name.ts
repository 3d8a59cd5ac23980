import type { Run } from '../../shared/contracts/run.ts'
import { showControls } from './show-controls.ts'

/** What a run is called: as its owner called it, with controls made visible, or by its id. */
export function runName({ id, request }: Pick<Run, 'id' | 'request'>): string {
  return showControls(request.name?.trim() || id)
}
