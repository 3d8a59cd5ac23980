import type { Branch } from '../branch.ts'
import { gae } from './gae.ts'
import { gigpo } from './gigpo.ts'
import { grpo } from './grpo.ts'
import { rloo } from './rloo.ts'
import type { Scale } from './standardised.ts'
import { treeGrpo } from './tree-grpo.ts'
import { treerl } from './treerl.ts'

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
