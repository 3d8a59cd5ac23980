import { isStopped, type StopRules } from './is-stopped.ts'
import type { SearchNode, SearchTree } from './search-tree.ts'

/** Whether a path ends at a node: the task does, the path is as long as it may get, or the rules give it up. */
export function isEnd(
  tree: SearchTree,
  node: SearchNode,
  { maxSteps, ...rules }: StopRules & { maxSteps: number },
): boolean {
  return node.done || node.depth >= maxSteps || isStopped(tree, node, rules)
}
