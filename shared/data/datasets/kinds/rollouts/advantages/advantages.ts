import { isSameValue } from '../../compare-values.ts'
import { alongSteps, type Branch, type BranchStep } from '../branch.ts'

const epsilon = 1e-6

/** `std`: divides by the standard deviation; `none`: only subtracts the mean, as Dr. GRPO (arXiv 2503.20783) does. */
type Scale = 'std' | 'none'

/** Exact for equal values, whose sum would be rounded. */
function meanOf([first = 0, ...others]: readonly number[]): number {
  return first + others.reduce((sum, value) => sum + (value - first), 0) / (others.length + 1)
}

/** The differences from the mean; one that is only rounding is 0. */
function differencesOf(values: readonly number[]): number[] {
  const mean = meanOf(values)
  return values.map((value) => (isSameValue(value, mean) ? 0 : value - mean))
}

/**
 * `(x − mean) / (std + 1e-6)`, with the standard deviation of a sample (n − 1), as verl and TRL have it. A value alone
 * is its own mean, so that it gets 0.
 */
function standardised(values: readonly number[], scale: Scale): number[] {
  if (values.length < 2) return values.map(() => 0)
  const differences = differencesOf(values)
  if (scale === 'none') return differences
  const variance = differences.reduce((sum, value) => sum + value * value, 0) / (values.length - 1)
  return differences.map((value) => value / (Math.sqrt(variance) + epsilon))
}

/** Standardises values among those of equal key; null is a key of its own each time. */
function standardisedWithin(
  values: readonly number[],
  keys: readonly (string | number | null)[],
  scale: Scale,
): number[] {
  const groups = Map.groupBy(values.keys(), (place) => keys[place] ?? Symbol(place))
  const results = values.map(() => 0)
  for (const places of groups.values()) {
    const scaled = standardised(
      places.map((place) => values[place] as number),
      scale,
    )
    for (const [index, place] of places.entries()) results[place] = scaled[index] as number
  }
  return results
}

/** `A_i = (r_i − mean(r)) / std(r)` over the group (Shao et al. 2024, arXiv 2402.03300, section 4.1.2). */
const grpo: Advantages = (branches, { scale }) => {
  const rewards = branches.map(({ reward }) => reward)
  return alongSteps(branches, standardised(rewards, scale))
}

/**
 * `A_i = r_i − mean_{j≠i}(r_j) = (r_i − mean(r)) n / (n − 1)`: the baseline is the mean of the others (Ahmadian et al.
 * 2024, arXiv 2402.14740, the RLOO estimator of section 3.3). A branch alone gets 0.
 */
const rloo: Advantages = (branches) => {
  const differences = differencesOf(branches.map(({ reward }) => reward))
  const share = branches.length / Math.max(1, branches.length - 1)
  return alongSteps(
    branches,
    differences.map((difference) => difference * share),
  )
}

/**
 * `A_i = A_intra(i) + A_inter(i)`: the reward standardised among the branches of its tree, and among those of all
 * trees of the task (Ji et al. 2025, Tree-GRPO, arXiv 2509.21240, section 3.3).
 */
const treeGrpo: Advantages = (branches, { scale }) => {
  const rewards = branches.map(({ reward }) => reward)
  const trees = branches.map(({ tree }) => tree)
  const intra = standardisedWithin(rewards, trees, scale)
  const inter = standardised(rewards, scale)
  return alongSteps(
    branches,
    inter.map((value, place) => value + (intra[place] as number)),
  )
}

/**
 * `R(s) = (G(s) + L(s)) / √|leaves(s)|`, with `V(s)` the mean reward of the leaves below `s`, the global advantage
 * `G(s) = V(s) − V(root)` and the local one `L(s) = V(s) − V(parent(s))` (Hou et al. 2025, TreeRL, arXiv 2506.11902,
 * equations 2 to 4). The state's own value, which TreeRL's code adds, is not in its equations, nor here.
 */
const treerl: Advantages = (branches) => {
  const rewards = leafRewards(branches)
  const valueAt = (tree: number, node: number) => meanOf(rewards.get(keyOf(tree, node)) ?? [])
  return branches.map(({ steps, tree }) =>
    steps.map(({ node }, place) => {
      const value = valueAt(tree, node)
      const parent = valueAt(tree, steps[place - 1]?.node ?? 0)
      const leaves = rewards.get(keyOf(tree, node))?.length ?? 1
      return (value - valueAt(tree, 0) + (value - parent)) / Math.sqrt(leaves)
    }),
  )
}

function leafRewards(branches: readonly Branch[]): Map<string, number[]> {
  const rewards = new Map<string, number[]>()
  for (const { reward, steps, tree } of branches) {
    for (const node of [0, ...steps.map((step) => step.node)]) {
      const key = keyOf(tree, node)
      const known = rewards.get(key)
      if (known) known.push(reward)
      else rewards.set(key, [reward])
    }
  }
  return rewards
}

function keyOf(tree: number, node: number): string {
  return `${tree}/${node}`
}

/**
 * `A = A_episode + ω A_step`: the reward standardised in the group, and the discounted return from a step
 * standardised among the steps, of any branch, that were taken in an equal state (Feng et al. 2025, GiGPO, arXiv
 * 2505.10978, equations 3 and 6 to 8). A state that is unknown or met once gives no credit of steps.
 */
const gigpo: Advantages = (branches, { discount, scale, step_weight: weight }) => {
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

/**
 * Generalized advantage estimation over steps, as PPO learns from it: `A_t = Σ_l (γλ)^l δ_{t+l}` with `δ_t = r_t + γ
 * V(s_{t+1}) − V(s_t)` (Schulman et al. 2016, arXiv 1506.02438, equations 11 and 16). `V` is the tree's value, which a
 * value model gave, and 0 at the end.
 *
 * @throws Error if a state has no value
 */
const gae: Advantages = (branches, { discount, lambda }) =>
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

export interface AdvantageOptions {
  scale: Scale
  /** γ, of a step. */
  discount: number
  /** λ of generalized advantage estimation. */
  lambda: number
  /** ω, the weight of GiGPO's credit of steps. */
  step_weight: number
}

export type Advantages = (branches: readonly Branch[], options: AdvantageOptions) => number[][]

export const advantages = {
  grpo,
  rloo,
  'tree-grpo': treeGrpo,
  treerl,
  gigpo,
  ppo: gae,
} as const satisfies Record<string, Advantages>

export type AdvantageId = keyof typeof advantages
