import { earlyStop } from './early-stop.ts'
import type { SearchNode, SearchTree } from './search-tree.ts'

/** When a path is given up: after so many invalid actions in a row, or so many times the same. */
export interface StopRules {
  stop_after_invalid?: number | undefined
  stop_after_repeats?: number | undefined
}

/** Whether the rules give up the path to a node. */
export function isStopped(tree: SearchTree, node: SearchNode, rules: StopRules): boolean {
  const { stop_after_invalid: invalid, stop_after_repeats: repeats } = rules
  if (invalid === undefined && repeats === undefined) return false
  const given = { ...(invalid !== undefined && { invalid }), ...(repeats !== undefined && { repeats }) }
  return earlyStop(tree.path(node), given) !== null
}
