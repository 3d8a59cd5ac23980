import type { Run } from '../../../shared/core/contracts/run.ts'

export function hasScored({ episodes: { failed, limited, succeeded } }: Pick<Run, 'episodes'>): boolean {
  return succeeded + failed + limited > 0
}
