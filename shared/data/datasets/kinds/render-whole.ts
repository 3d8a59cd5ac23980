import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { usualPictures } from '../../../play/search/newest-pictures.ts'
import type { AttemptFacts } from '../attempt.ts'
import type { KindScope } from '../kind.ts'
import { seenPictures } from '../seen-pictures.ts'
import { showsAll } from './answer-rows.ts'
import { type RenderedPath, renderPath } from './render-path.ts'

/**
 * A path rendered as one row, whatever its length, for kinds that judge whole trajectories. If rows show pictures, no
 * prompt on the path may have left one out: one row would otherwise show later answers more pictures than their
 * prompts did, or earlier ones fewer.
 */
export function renderWhole(
  tree: Tree,
  end: number,
  attempt: Pick<AttemptFacts, 'max_pictures'>,
  scope: Pick<KindScope, 'pictures'>,
): RenderedPath | LeftOutReason {
  const path = renderPath(tree, end, seenPictures(attempt, scope))
  if (typeof path === 'string' || scope.pictures !== 'show') return path
  const { max_pictures = usualPictures } = attempt
  return showsAll([...path.head, ...path.turns], max_pictures) ? path : 'pictures_cut'
}
