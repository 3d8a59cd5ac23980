import type { SearchScope } from '../search/search-scope.ts'
import { isStopped, type StopRules } from '../search/stopping.ts'
import type { Effort, EffortBounds } from './effort.ts'

export interface PathParameters extends StopRules {
  max_steps?: number | undefined
}

/** Goes one path: asks, acts, and sees what comes of it, until the task ends or the path gets too long. */
export async function playPath(scope: SearchScope, parameters: PathParameters): Promise<void> {
  const { max_steps = scope.defaultMaxSteps } = parameters
  let node = scope.tree.root
  while (!node.done && node.depth < max_steps && !isStopped(scope.tree, node, parameters)) {
    const [proposal] = await scope.propose(node, { key: 'sample/0' })
    if (!proposal) return
    node = await scope.step(node, proposal)
  }
}

/** One call for each action; half of the longest trajectory is taken to be likely. */
export function singlePathEffort({ max_steps }: PathParameters, bounds: EffortBounds): Effort {
  const longest = max_steps ?? bounds.max_steps
  const most = Math.min(longest, bounds.steps)
  const likely = Math.min(most, Math.ceil(longest / 2))
  return {
    expected: Array.from({ length: likely }, () => 1),
    at_most: Array.from({ length: most }, () => 1),
    side_by_side: 1,
    reason: 'trajectories half as long as they can get',
  }
}
