import { alongSteps } from '../branch.ts'
import type { Advantages } from './advantages.ts'
import { standardised, standardisedWithin } from './standardised.ts'

/**
 * `A_i = A_intra(i) + A_inter(i)`: the reward standardised among the branches of its tree, and among those of all
 * trees of the task (Ji et al. 2025, Tree-GRPO, arXiv 2509.21240, section 3.3).
 */
export const treeGrpo: Advantages = (branches, { scale }) => {
  const rewards = branches.map(({ reward }) => reward)
  const trees = branches.map(({ tree }) => tree)
  const intra = standardisedWithin(rewards, trees, scale)
  const inter = standardised(rewards, scale)
  return alongSteps(
    branches,
    inter.map((value, place) => value + (intra[place] as number)),
  )
}
