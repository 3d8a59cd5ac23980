import type { Proposal } from './proposal.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchNode, SearchTree } from './search-tree.ts'
import { ucb1 } from './ucb1.ts'
import { withVirtualLoss } from './with-virtual-loss.ts'

export interface RolloutSettings {
  /** Descents from the root. */
  iterations: number
  /** Answers sampled at each node that is expanded. */
  samples: number
  /** Nodes below this depth are leaves. */
  maxDepth: number
  /** The constant of UCB1. */
  exploration: number
  /** Descents at a time. */
  parallel: number
}

/**
 * Monte Carlo tree search whose rollouts are the tree's own paths: each descent expands every node on its way until it
 * stands above leaves only, and leaves back up the environment's reward.
 *
 * Several descents go in step: each step of all of them expands, at once, the nodes they stand at, and then sends them on one
 * after the other, each as if the others had come back with nothing. So the tree does not depend on which answer comes first.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1
 */
export async function searchByRollouts(scope: SearchScope, settings: RolloutSettings): Promise<void> {
  const { iterations, parallel } = settings
  const { root } = scope.tree
  const descents: SearchNode[] = []
  for (let begun = 0; ; ) {
    while (descents.length < parallel && begun < iterations && !root.terminal) {
      const start = root.children.length === 0 ? root : descend(scope, root, descents, settings)
      begun += 1
      if (start) descents.push(start)
    }
    if (descents.length === 0) return
    await expandAll(scope, new Set(descents), settings)
    for (const node of descents.splice(0)) {
      const next = node.terminal ? null : descend(scope, node, descents, settings)
      if (next) descents.push(next)
    }
  }
}

/** Samples answers side by side, takes each different one once, and backs up the leaves among the children. */
async function expandAll(
  scope: SearchScope,
  nodes: ReadonlySet<SearchNode>,
  { samples, maxDepth }: RolloutSettings,
): Promise<void> {
  const proposed = await Promise.all([...nodes].map((node) => sample(scope, node, samples)))
  for (const [place, node] of [...nodes].entries()) {
    const children: SearchNode[] = []
    for (const proposal of different(proposed[place] as Proposal[])) {
      children.push(await scope.step(node, proposal, maxDepth))
    }
    for (const child of children) if (child.terminal) scope.backUp(child, child.reward)
  }
}

async function sample(scope: SearchScope, node: SearchNode, samples: number): Promise<Proposal[]> {
  const asked = Array.from({ length: samples }, (_, number) =>
    scope.propose(node, { key: `sample/${number}` }),
  )
  return (await Promise.all(asked)).flat()
}

function different(proposals: readonly Proposal[]): Iterable<Proposal> {
  const byMessage = new Map<string, Proposal>()
  for (const proposal of proposals) {
    if (!byMessage.has(proposal.message)) byMessage.set(proposal.message, proposal)
  }
  return byMessage.values()
}

/** Follows the best children down to one that has none; null when only leaves are left. */
function descend(
  { tree }: SearchScope,
  node: SearchNode,
  others: readonly SearchNode[],
  { exploration }: RolloutSettings,
): SearchNode | null {
  const underWay = new Map<number, number>()
  for (const other of others) {
    for (const { index } of tree.path(other)) underWay.set(index, (underWay.get(index) ?? 0) + 1)
  }
  const assumed = (at: SearchNode) => {
    const visits = underWay.get(at.index)
    return visits === undefined ? at : withVirtualLoss(at, visits)
  }
  let at: SearchNode | null = node
  while (at !== null && at.children.length > 0) {
    const parent = assumed(at)
    at = selectChild(tree, at, (child) => ucb1(assumed(child), parent, exploration))
  }
  return at
}

/** The non-terminal child with the highest score, the first of equals; null when every child is terminal. */
function selectChild(
  tree: SearchTree,
  node: SearchNode,
  score: (child: SearchNode) => number,
): SearchNode | null {
  let selected: SearchNode | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const child of tree.children(node)) {
    if (child.terminal) continue
    const value = score(child)
    if (selected === null || value > highest) {
      selected = child
      highest = value
    }
  }
  return selected
}
