import { type Committed, commitStepByStep, commitWholeTask } from '../../search/commit-path.ts'
import type { Guidance } from '../../search/puct-search.ts'
import type { SearchScope } from '../../search/search-scope.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import type { PuctParameters } from '../puct-parameters.ts'

/**
 * ExACT's method: searches with PUCT and a value function, before each action or once for the task. `mcts` plays it with
 * the value function alone; `rmcts` adds advice from earlier tasks, and reflects on the committed actions.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), section 3
 */
export const puctMethod = {
  horizon: () => maxStepsHorizon,
  // More iterations extend a search only if a repeated search makes the same first iterations.
  extendable: ({ exploration_schedule, parallel, plan, time_budget }) =>
    plan === 'whole-task' &&
    parallel === 1 &&
    exploration_schedule === 'constant' &&
    time_budget === undefined
      ? ['iterations']
      : [],
  answer: ({ plan }) => (plan === 'per-step' ? 'committed' : 'most-visited'),
  play(
    scope: SearchScope,
    { plan, max_steps = scope.defaultMaxSteps, ...settings }: PuctParameters,
    guidance: Guidance,
  ): Promise<Committed[]> {
    const commit = plan === 'per-step' ? commitStepByStep : commitWholeTask
    return commit(scope, { ...settings, maxSteps: max_steps }, guidance)
  },
} satisfies Pick<Method<PuctParameters>, 'horizon' | 'extendable' | 'answer'> & { play: unknown }
