import type { Tree } from '../../../../core/contracts/tree.ts'
import type { AttemptFacts } from '../../attempt.ts'
import { pathTo } from '../../path-to.ts'
import { nodeAt } from '../node-at.ts'
import { type Paths, pathEnds } from '../path-ends.ts'

/** An answer on a path. */
export interface BranchStep {
  /** Position in its tree of the node that the answer led to; of several calls, the first. */
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
    const steps: BranchStep[] = []
    for (const [step, node] of ids.slice(1).entries()) {
      const gained = (rewards[step + 1] as number) - (rewards[step] as number)
      const answer = steps.at(-1)
      if (answer !== undefined && nodeAt(tree, node).answer_of === answer.node) {
        answer.reward += gained
        continue
      }
      const before = nodeAt(tree, ids[step] as number)
      const value = before.visits === 0 ? null : before.value
      steps.push({ node, state: before.state_hash, reward: gained, value })
    }
    return { tree: place, reward, steps }
  })
}
