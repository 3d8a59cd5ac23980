import type { Proposal, SearchScope } from '../search/search-scope.ts'
import { isStopped, type StopRules } from '../search/stopping.ts'
import type { SearchNode } from '../search/tree.ts'
import type { Effort, EffortBounds } from './effort.ts'

export interface PathParameters extends StopRules {
  max_steps?: number | undefined
}

export async function playPath(
  scope: SearchScope,
  parameters: PathParameters,
  from = scope.tree.root,
): Promise<void> {
  const longest = from.depth + (parameters.max_steps ?? scope.defaultMaxSteps)
  let node = from
  while (!node.done && node.depth < longest && !isStopped(scope.tree, node, parameters)) {
    const [proposal] = await scope.propose(node, { key: 'sample/0' })
    if (!proposal) return
    for (const call of [proposal, ...(proposal.more ?? [])]) {
      if (node.done || node.depth >= longest || isStopped(scope.tree, node, parameters)) break
      node = await scope.step(node, call)
    }
  }
}

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

export interface Path {
  from: SearchNode
  key: string
  system?: string
  maxSteps: number
  rules: StopRules
  step?(node: SearchNode, proposal: Proposal): Promise<SearchNode>
}

/**
 * Plays several paths in step: asks all agents concurrently, then takes their actions one after the other. So the
 * tree does not depend on the order of answers.
 *
 * @returns the last node of each path
 */
export async function playSideBySide(scope: SearchScope, paths: readonly Path[]): Promise<SearchNode[]> {
  const ends = paths.map(({ from }) => from)
  for (;;) {
    const open = [...paths.entries()].filter(
      ([place, path]) => !isOver(scope, path, ends[place] as SearchNode),
    )
    if (open.length === 0) return ends
    const asked = open.map(([place, { key, system }]) =>
      scope.propose(ends[place] as SearchNode, { key, ...(system !== undefined && { system }) }),
    )
    const proposed = await Promise.all(asked)
    for (const [turn, [place, path]] of open.entries()) {
      const at = ends[place] as SearchNode
      const [proposal] = proposed[turn] as [Proposal]
      let end = at
      for (const call of [proposal, ...(proposal.more ?? [])]) {
        if (end !== at && isOver(scope, path, end)) break
        end = await (path.step?.(end, call) ?? scope.step(end, call))
      }
      ends[place] = end
    }
  }
}

function isOver({ tree }: SearchScope, { from, maxSteps, rules }: Path, end: SearchNode): boolean {
  return end.done || end.depth - from.depth >= maxSteps || isStopped(tree, end, rules)
}
