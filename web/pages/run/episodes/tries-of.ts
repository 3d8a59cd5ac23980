import type { Episode } from '../../../../shared/contracts/episode.ts'

/** How often an episode was played: once, and again after each error that was not its end. */
export function triesOf({ errors, starts }: Pick<Episode, 'errors' | 'starts'>): number {
  return starts === 0 ? 0 : errors + 1
}
