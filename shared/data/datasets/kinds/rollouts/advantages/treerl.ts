import type { Branch } from '../branch.ts'
import type { Advantages } from './advantages.ts'
import { meanOf } from './standardised.ts'

/**
 * `R(s) = (G(s) + L(s)) / √|leaves(s)|`, with `V(s)` the mean reward of the leaves below `s`, the global advantage
 * `G(s) = V(s) − V(root)` and the local one `L(s) = V(s) − V(parent(s))` (Hou et al. 2025, TreeRL, arXiv 2506.11902,
 * equations 2 to 4). The state's own value, which TreeRL's code adds, is not in its equations, nor here.
 */
export const treerl: Advantages = (branches) => {
  const rewards = leafRewards(branches)
  const valueAt = (tree: number, node: number) => meanOf(rewards.get(keyOf(tree, node)) ?? [])
  return branches.map(({ steps, tree }) =>
    steps.map(({ node }, place) => {
      const value = valueAt(tree, node)
      const parent = valueAt(tree, steps[place - 1]?.node ?? 0)
      const leaves = rewards.get(keyOf(tree, node))?.length ?? 1
      return (value - valueAt(tree, 0) + (value - parent)) / Math.sqrt(leaves)
    }),
  )
}

function leafRewards(branches: readonly Branch[]): Map<string, number[]> {
  const rewards = new Map<string, number[]>()
  for (const { reward, steps, tree } of branches) {
    for (const node of [0, ...steps.map((step) => step.node)]) {
      const key = keyOf(tree, node)
      const known = rewards.get(key)
      if (known) known.push(reward)
      else rewards.set(key, [reward])
    }
  }
  return rewards
}

function keyOf(tree: number, node: number): string {
  return `${tree}/${node}`
}
