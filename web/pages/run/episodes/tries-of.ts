import type { Episode } from '../../../../shared/contracts/episode.ts'

/** The number of times an episode was played: once, plus once after each error that did not end it. */
export function triesOf({ errors, starts }: Pick<Episode, 'errors' | 'starts'>): number {
  return starts === 0 ? 0 : errors + 1
}
