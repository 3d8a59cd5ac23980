import { commitStepByStep, commitWholeTask } from '../../search/commit-path.ts'
import { searchByRollouts } from '../../search/rollout-search.ts'
import { createValueFunction } from '../../search/values/create-value-function.ts'
import { noAdvice } from '../../search/values/value-function.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { puctEffort, toPlanSettings } from '../puct-parameters.ts'
import { derivedOfSearch, rolesOfValue } from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'
import {
  type MctsParameters,
  mctsParameters,
  mctsVariant,
  rolloutDepth,
  rolloutEffort,
} from './mcts-parameters.ts'

/**
 * Monte Carlo tree search, two ways: as Agent-R collects trajectories, with rollouts that are the tree's own paths and the
 * environment's reward; or as ExACT plans, with a value function, which never sees the reward.
 */
export const mcts: Method<MctsParameters> = {
  id: 'mcts',
  description:
    'Monte Carlo tree search: samples several actions at each node, and learns from the rewards of leaves or from a value function.',
  source:
    'value none: Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1; otherwise Yu et al. 2024, ExACT (arXiv 2410.02052)',
  parameters: mctsParameters,
  variant: mctsVariant,
  prompts: searchPrompts,
  branches: true,
  horizon: ({ value }) => (value === 'none' ? { name: 'max_depth', beyond: 1 } : maxStepsHorizon),
  derived: (parameters) => (parameters.value === 'none' ? {} : derivedOfSearch(parameters)),
  extendable: (parameters) => (canGrow(parameters) ? ['iterations'] : []),
  answer: (parameters) => {
    if (parameters.value === 'none') return 'best'
    return parameters.plan === 'per-step' ? 'committed' : 'most-visited'
  },
  system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
  turnActions: ({ pause_action }) => ({ pause_action }),
  roles: ({ value }) => rolesOfValue(value),
  effort: (parameters, bounds) =>
    parameters.value === 'none' ? rolloutEffort(parameters, bounds) : puctEffort(parameters, bounds),
  async play(scope, parameters) {
    if (parameters.value === 'none') {
      const { max_depth, ...settings } = parameters
      return searchByRollouts(scope, {
        ...settings,
        maxDepth: rolloutDepth(max_depth, scope.defaultMaxSteps),
      })
    }
    const { plan, ...settings } = parameters
    const commit = plan === 'per-step' ? commitStepByStep : commitWholeTask
    const values = createValueFunction(scope, settings)
    await commit(scope, toPlanSettings(settings, scope.defaultMaxSteps), { values, advise: noAdvice })
  },
}

/** Whether more iterations would only add to those that were made: so not where the last leaves went together with fewer. */
function canGrow(parameters: MctsParameters): boolean {
  if (parameters.parallel > 1) return false
  return (
    parameters.value === 'none' ||
    (parameters.plan === 'whole-task' &&
      parameters.exploration_schedule === 'constant' &&
      parameters.time_budget === undefined)
  )
}
