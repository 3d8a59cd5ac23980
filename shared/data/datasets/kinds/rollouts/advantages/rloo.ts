import { alongSteps } from '../branch.ts'
import type { Advantages } from './advantages.ts'

/**
 * `A_i = r_i − mean_{j≠i}(r_j)`: the baseline is the mean of the others (Ahmadian et al. 2024, arXiv 2402.14740, the
 * RLOO estimator of section 3.3). A branch alone gets 0.
 */
export const rloo: Advantages = (branches) => {
  const total = branches.reduce((sum, { reward }) => sum + reward, 0)
  const others = branches.length - 1
  return alongSteps(
    branches,
    branches.map(({ reward }) => (others === 0 ? 0 : reward - (total - reward) / others)),
  )
}
