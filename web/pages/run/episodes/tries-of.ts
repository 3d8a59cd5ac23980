import type { Episode } from '../../../../shared/contracts/episode.ts'

/** How often an episode was played: once, and again after each error but the one that it ended with. */
export function triesOf({ errors, starts, status }: Pick<Episode, 'errors' | 'starts' | 'status'>): number {
  if (starts === 0) return 0
  return status === 'errored' ? Math.max(1, errors) : errors + 1
}
