import type { Tree } from '../../../../core/contracts/tree.ts'
import type { AttemptFacts } from '../../attempt.ts'
import { pathTo } from '../../path-to.ts'
import { nodeAt } from '../node-at.ts'
import { type Paths, pathEnds } from '../path-ends.ts'

export interface BranchStep {
  /** Position in its tree of the node that the answer led to. */
  node: number
  /** Digest of the state that the answer was given in; null if it is unknown. */
  state: string | null
  reward: number
  /** The tree's value of the state that the answer was given in; null if nothing was backed up there. */
  value: number | null
}

export function alongSteps(branches: readonly Branch[], ofBranches: readonly number[]): number[][] {
  return branches.map(({ steps }, place) => steps.map(() => ofBranches[place] as number))
}

export interface Branch {
  /** Position of its tree among the trees of its group. */
  tree: number
  reward: number
  steps: readonly BranchStep[]
}

export function branchesOf(tree: Tree, place: number, attempt: AttemptFacts, paths: Paths): Branch[] {
  return pathEnds(tree, attempt, paths).map(({ id, reward }) => {
    const ids = pathTo(tree, id)
    const rewards = ids.map((node) => (node === id ? reward : nodeAt(tree, node).reward))
    const steps = ids.slice(1).map((node, step): BranchStep => {
      const before = nodeAt(tree, ids[step] as number)
      return {
        node,
        state: before.state_hash,
        reward: (rewards[step + 1] as number) - (rewards[step] as number),
        value: before.visits === 0 ? null : before.value,
      }
    })
    return { tree: place, reward, steps }
  })
}
