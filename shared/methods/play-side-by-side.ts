import type { Proposal } from '../search/proposals.ts'
import type { SearchScope } from '../search/search-scope.ts'
import { isStopped, type StopRules } from '../search/stopping.ts'
import type { SearchNode } from '../search/tree.ts'

/** A path to be played. */
export interface Path {
  from: SearchNode
  /** Names its calls at a node, where other paths may come from as well. */
  key: string
  /** What the agent is told first. @default what the episode tells it */
  system?: string
  /** The longest it gets, in actions from where it begins. */
  maxSteps: number
  rules: StopRules
  /** How an action is taken. @default as one step of the environment */
  step?(node: SearchNode, proposal: Proposal): Promise<SearchNode>
}

/**
 * Goes several paths side by side, in step: all agents are asked at once, then their actions are taken one after the other.
 * So the tree does not depend on which answer comes first.
 *
 * @returns where each path ended
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
      ends[place] = await (path.step?.(at, proposal) ?? scope.step(at, proposal))
    }
  }
}

function isOver({ tree }: SearchScope, { from, maxSteps, rules }: Path, end: SearchNode): boolean {
  return end.done || end.depth - from.depth >= maxSteps || isStopped(tree, end, rules)
}
