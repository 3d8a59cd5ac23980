import { alongSteps } from '../branch.ts'
import type { Advantages } from './advantages.ts'
import { standardised } from './standardised.ts'

/** `A_i = (r_i − mean(r)) / std(r)` over the group (Shao et al. 2024, arXiv 2402.03300, section 4.1.2). */
export const grpo: Advantages = (branches, { scale }) => {
  const rewards = branches.map(({ reward }) => reward)
  return alongSteps(branches, standardised(rewards, scale))
}
