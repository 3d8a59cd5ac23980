import type { Episode } from '../../../../shared/core/contracts/episode.ts'

export function triesOf({ errors, starts }: Pick<Episode, 'errors' | 'starts'>): number {
  return starts === 0 ? 0 : errors + 1
}
