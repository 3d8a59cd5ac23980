import { actionKey } from './proposals.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchNode, SearchTree } from './tree.ts'

export interface StopRules {
  stop_after_invalid?: number | undefined
  stop_after_repeats?: number | undefined
}

export type EarlyStop = 'invalid_actions' | 'repeated_actions'

/**
 * The reason to abandon a path: its last `invalid` actions were all invalid, or its last `repeats` actions were all
 * the same. Null if neither holds. A rule without a number does not apply.
 *
 * @param path - from the root downwards; the root itself has no action and is skipped
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for VisualWebArena: `early_stop` with `parsing_failure_th`
 * 3 and `repeating_action_failure_th` 5
 */
export function earlyStop(
  path: readonly { action: string | null; valid?: boolean | undefined }[],
  { invalid, repeats }: { invalid?: number | undefined; repeats?: number | undefined },
): EarlyStop | null {
  const taken = path.filter(({ action }) => action !== null)
  if (endsIn(taken, invalid, ({ valid }) => valid === false)) return 'invalid_actions'
  const last = actionKey(taken.at(-1)?.action ?? '')
  if (endsIn(taken, repeats, ({ action }) => actionKey(action ?? '') === last)) return 'repeated_actions'
  return null
}

function endsIn<Step>(
  path: readonly Step[],
  count: number | undefined,
  holds: (step: Step) => boolean,
): boolean {
  return count !== undefined && path.length >= count && path.slice(path.length - count).every(holds)
}

export function isStopped(tree: SearchTree, node: SearchNode, rules: StopRules): boolean {
  const { stop_after_invalid: invalid, stop_after_repeats: repeats } = rules
  if (invalid === undefined && repeats === undefined) return false
  return earlyStop(tree.path(node), { invalid, repeats }) !== null
}

export function isEnd(
  tree: SearchTree,
  node: SearchNode,
  { maxSteps, ...rules }: StopRules & { maxSteps: number },
): boolean {
  return node.done || node.depth >= maxSteps || isStopped(tree, node, rules)
}

/** The working time of the episode, in seconds, after which a search with this many minutes begins nothing more. */
export function deadlineAfter(scope: Pick<SearchScope, 'elapsed'>, minutes: number | undefined): number {
  return scope.elapsed() + (minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60)
}
