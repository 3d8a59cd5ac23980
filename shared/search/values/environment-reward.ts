import { onceForEach, type ValueFunction } from './value-function.ts'

/** What the environment paid for the step that led to a state: exact where it is not zero, and an oracle where it ends. */
export function environmentReward(): ValueFunction {
  return onceForEach(0, async ({ reward }) => ({ value: reward, account: null }))
}
