import type { BranchStep } from '../branch.ts'
import type { Advantages } from './advantages.ts'
import { standardised, standardisedWithin } from './standardised.ts'

/**
 * `A = A_episode + ω A_step`: the reward standardised in the group, and the discounted return from a step
 * standardised among the steps, of any branch, that were taken in an equal state (Feng et al. 2025, GiGPO, arXiv
 * 2505.10978, equations 3 and 6 to 8). A state that is unknown or met once gives no credit of steps.
 */
export const gigpo: Advantages = (branches, { discount, scale, step_weight: weight }) => {
  const episodes = standardised(
    branches.map(({ reward }) => reward),
    scale,
  )
  const returns = branches.flatMap(({ steps }) => returnsOf(steps, discount))
  const states = branches.flatMap(({ steps }) => steps.map(({ state }) => state))
  const ofSteps = standardisedWithin(returns, states, scale).values()
  return branches.map(({ steps }, place) =>
    steps.map(() => (episodes[place] as number) + weight * (ofSteps.next().value as number)),
  )
}

function returnsOf(steps: readonly BranchStep[], discount: number): number[] {
  let later = 0
  return steps
    .toReversed()
    .map(({ reward }) => {
      later = reward + discount * later
      return later
    })
    .reverse()
}
