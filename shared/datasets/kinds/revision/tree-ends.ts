import type { Tree } from '../../../contracts/tree.ts'
import type { NoTurns } from '../../path-turns.ts'
import { textOf } from '../../text-of.ts'

/** Where a path ended that can be told, and what it earned. */
export interface TreeEnd {
  node: number
  reward: number
}

export interface TreeEnds {
  /** By falling reward, of equals in the order in which they were found. */
  ends: TreeEnd[]
  /** How many of them, from the first, are good. */
  good: number
  /** Why good paths cannot be told, where none can. */
  untold: NoTurns | null
}

export interface GoodRule {
  alpha: number
  alpha_inclusive: boolean
}

/**
 * The ends of a tree's paths: leaves below which nothing is left to explore. A path counts as what the environment gave at its
 * end; what a judge thought of it proves nothing.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.2, and its `path_collection.py`
 */
export function treeEnds(tree: Tree, { alpha, alpha_inclusive }: GoodRule): TreeEnds {
  const reasons = whyUntold(tree)
  const parents = new Set(tree.nodes.map(({ parent }) => parent))
  const isGood = (reward: number) => (alpha_inclusive ? reward >= alpha : reward > alpha) && reward > 0
  const ends: TreeEnd[] = []
  let untold: NoTurns | null = null
  for (const [node, { parent, terminal, done, reward }] of tree.nodes.entries()) {
    if (parent === null || parents.has(node) || !(terminal || done)) continue
    const reason = reasons[node] ?? null
    if (reason === null) ends.push({ node, reward })
    else if (isGood(reward)) untold ??= reason
  }
  const sorted = ends.toSorted((left, right) => right.reward - left.reward)
  const firstBad = sorted.findIndex(({ reward }) => !isGood(reward))
  const good = firstBad < 0 ? sorted.length : firstBad
  return { ends: sorted, good, untold: good === 0 ? untold : null }
}

/** For each node, why the path to it cannot be told; null where it can. */
function whyUntold({ nodes }: Tree): (NoTurns | null)[] {
  const reasons: (NoTurns | null)[] = []
  for (const { parent, message, observation } of nodes) {
    const own = message === null ? 'no_model_message' : textOf(observation) === null ? 'not_text' : null
    // Parents stand before their children.
    reasons.push(parent === null ? null : (reasons[parent] ?? own))
  }
  return reasons
}
