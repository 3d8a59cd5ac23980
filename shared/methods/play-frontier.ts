import { commitByFrontier, type FrontierSettings } from '../search/frontier-search.ts'
import type { SearchScope } from '../search/search-scope.ts'
import { createValueFunction } from '../search/values/create-value-function.ts'
import { noAdvice } from '../search/values/value-function.ts'
import type { FrontierParameters } from './frontier-parameters.ts'
import { toSeconds } from './puct-parameters.ts'

/** Looks ahead over a frontier in the given order, with the value function that the parameters name. */
export async function playFrontier(
  scope: SearchScope,
  order: FrontierSettings['order'],
  { max_depth, max_steps = scope.defaultMaxSteps, time_budget, ...settings }: FrontierParameters,
): Promise<void> {
  const values = createValueFunction(scope, settings)
  await commitByFrontier(
    scope,
    { ...settings, order, lookAhead: max_depth, maxSteps: max_steps, maxSeconds: toSeconds(time_budget) },
    { values, advise: noAdvice },
  )
}
