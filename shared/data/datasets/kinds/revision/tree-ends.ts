import type { Tree } from '../../../../core/contracts/tree.ts'
import { type SeenPictures, seenOf } from '../../seen-pictures.ts'
import type { UnrenderableTurns } from '../render-path.ts'

export interface TreeEnd {
  node: number
  reward: number
}

export interface TreeEnds {
  ends: TreeEnd[]
  good: number
  unrenderable: UnrenderableTurns | null
}

export interface GoodRule {
  alpha: number
  alpha_inclusive: boolean
}

/**
 * The ends of a tree's paths: leaves with nothing left to explore below them. A path's worth is the environment's
 * reward at its end; a judge's value is no evidence.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.2, and its `path_collection.py`
 */
export function treeEnds(
  tree: Tree,
  { alpha, alpha_inclusive }: GoodRule,
  seen: SeenPictures = null,
): TreeEnds {
  const reasons = unrenderableReasons(tree, seen)
  const parents = new Set(tree.nodes.map(({ parent }) => parent))
  const isGood = (reward: number) => (alpha_inclusive ? reward >= alpha : reward > alpha) && reward > 0
  const ends: TreeEnd[] = []
  let unrenderable: UnrenderableTurns | null = null
  for (const [node, { parent, terminal, done, reward }] of tree.nodes.entries()) {
    if (parent === null || parents.has(node) || !(terminal || done)) continue
    const reason = reasons[node] ?? null
    if (reason === null) ends.push({ node, reward })
    else if (isGood(reward)) unrenderable ??= reason
  }
  const sorted = ends.toSorted((left, right) => right.reward - left.reward)
  const firstBad = sorted.findIndex(({ reward }) => !isGood(reward))
  const good = firstBad < 0 ? sorted.length : firstBad
  return { ends: sorted, good, unrenderable: good === 0 ? unrenderable : null }
}

function unrenderableReasons({ nodes }: Tree, seen: SeenPictures): (UnrenderableTurns | null)[] {
  const reasons: (UnrenderableTurns | null)[] = []
  for (const { parent, message, observation } of nodes) {
    const isShown = seenOf(observation, seen) !== null
    const own = message === null ? 'no_model_message' : isShown ? null : 'not_text'
    // Parents come before their children.
    const before = parent === null ? null : reasons[parent]
    // Every path includes the first observation.
    reasons.push(parent === null ? (isShown ? null : 'not_text') : (before ?? own))
  }
  return reasons
}
