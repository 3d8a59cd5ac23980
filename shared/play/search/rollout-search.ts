import type { Proposal, SearchScope } from './search-scope.ts'
import { selectHighest, ucb1 } from './selection.ts'
import type { SearchNode, SearchTree } from './tree.ts'
import { Wave } from './waves.ts'

export interface RolloutSettings {
  iterations: number
  samples: number
  maxDepth: number
  exploration: number
  parallel: number
}

/**
 * Monte Carlo tree search as Agent-R collects trajectories. There is no rollout policy and no value function: each descent
 * expands every node on its way, and leaves are worth the environment's reward.
 *
 *     repeat `iterations` times, while some path is open:
 *         node ← root
 *         until all children of node are leaves:
 *             select     down to a node without children, each time the open child of highest
 *                        W(child) / n + c · √(ln N / n), or without visits
 *             expand     one child for each different answer among `samples` of the policy
 *             evaluate   v ← the reward of the step that led to a leaf
 *             back up    from each leaf to the root: n ← n + 1, W ← W + v
 *
 * Several descents run as one {@link Wave}: at each step all their nodes are expanded concurrently, then they select one after
 * the other.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1, and its code, `mcts_utils`
 */
export async function searchByRollouts(scope: SearchScope, settings: RolloutSettings): Promise<void> {
  const { iterations, maxDepth, parallel, samples } = settings
  const { tree } = scope
  let wave = new Wave<SearchNode>()
  for (let begun = 0; ; ) {
    for (; wave.size < parallel && begun < iterations && !tree.root.terminal; begun += 1) {
      select(tree, tree.root, wave, settings)
    }
    if (wave.size === 0) return
    const nodes = [...new Set(wave.ends)]
    const proposed = await Promise.all(nodes.map((node) => propose(scope, node, samples)))
    for (const [place, node] of nodes.entries()) {
      const children = await expand(scope, node, proposed[place] as Proposal[], maxDepth)
      for (const child of children) if (child.terminal) scope.backUp(child, child.reward)
    }
    const deeper = new Wave<SearchNode>()
    for (const node of wave.ends) if (!node.terminal) select(tree, node, deeper, settings)
    wave = deeper
  }
}

function select(
  tree: SearchTree,
  from: SearchNode,
  wave: Wave<SearchNode>,
  { exploration }: RolloutSettings,
): void {
  let node: SearchNode | null = from
  while (node !== null && node.children.length > 0) {
    const parent = wave.assumed(node)
    const open: SearchNode[] = tree.children(node).filter(({ terminal }) => !terminal)
    node = selectHighest(open, (child) => ucb1(wave.assumed(child), parent, exploration))
  }
  if (node !== null) wave.add(tree.path(node))
}

async function propose(scope: SearchScope, node: SearchNode, samples: number): Promise<Proposal[]> {
  const asked = Array.from({ length: samples }, (_, number) =>
    scope.propose(node, { key: `sample/${number}` }),
  )
  return (await Promise.all(asked)).flat()
}

async function expand(
  scope: SearchScope,
  node: SearchNode,
  proposals: readonly Proposal[],
  maxDepth: number,
): Promise<SearchNode[]> {
  const byMessage = new Map<string, Proposal>()
  for (const proposal of proposals) {
    if (!byMessage.has(proposal.message)) byMessage.set(proposal.message, proposal)
  }
  const children: SearchNode[] = []
  for (const proposal of byMessage.values()) children.push(await scope.step(node, proposal, maxDepth))
  return children
}
