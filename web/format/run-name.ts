import type { Run } from '../../shared/core/contracts/run.ts'
import { showControls } from './show-controls.ts'

export function runName({ id, request }: Pick<Run, 'id' | 'request'>): string {
  return showControls(request.name?.trim() || id)
}
