import type { Advantages } from './advantages.ts'

/**
 * Generalized advantage estimation over steps, as PPO learns from it: `A_t = Σ_l (γλ)^l δ_{t+l}` with `δ_t = r_t + γ
 * V(s_{t+1}) − V(s_t)` (Schulman et al. 2016, arXiv 1506.02438, equations 11 and 16). `V` is the tree's value, which a
 * value model gave, and 0 at the end.
 *
 * @throws Error if a state has no value
 */
export const gae: Advantages = (branches, { discount, lambda }) =>
  branches.map(({ steps }) => {
    let [later, after] = [0, 0]
    return steps
      .toReversed()
      .map(({ node, reward, value }) => {
        if (value === null) throw new Error(`The state before node ${node} has no value.`)
        later = reward + discount * after - value + discount * lambda * later
        after = value
        return later
      })
      .reverse()
  })
