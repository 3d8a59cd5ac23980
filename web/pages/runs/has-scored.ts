import type { Run } from '../../../shared/contracts/run.ts'

/** True if a run has an episode with a reward, and therefore a success rate. */
export function hasScored({ episodes: { failed, limited, succeeded } }: Pick<Run, 'episodes'>): boolean {
  return succeeded + failed + limited > 0
}
