import { searchByRollouts } from '../../search/rollout-search.ts'
import type { Method } from '../method.ts'
import type { RolloutParameters } from './mcts-parameters.ts'

/**
 * Agent-R's method: one search with {@link searchByRollouts}. The episode's answer is the node of highest reward.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1
 */
export const rollouts: Pick<Method<RolloutParameters>, 'horizon' | 'extendable' | 'answer' | 'play'> = {
  horizon: () => ({ name: 'max_depth', beyond: 1 }),
  // With more iterations, the last wave of a parallel search might have held more descents.
  extendable: ({ parallel }) => (parallel === 1 ? ['iterations'] : []),
  answer: () => 'best',
  play: (scope, { max_depth, ...settings }) =>
    searchByRollouts(scope, { ...settings, maxDepth: rolloutDepth(max_depth, scope.defaultMaxSteps) }),
}

/**
 * The depth below which nodes are leaves.
 *
 * @param given - null: as long as the task may take; absent: a run created before horizons were recorded
 * @param longest - the longest trajectory of the task, in actions
 */
export function rolloutDepth(given: RolloutParameters['max_depth'], longest: number): number {
  return given === undefined ? Math.max(20, longest) : (given ?? longest - 1)
}
