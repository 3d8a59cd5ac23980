import { z } from 'zod'
import type { LeftOutReason } from '../../../../core/contracts/left-out-reasons.ts'
import type { Attempt, TaskGroup } from '../../attempt.ts'
import type { KindScope } from '../../kind.ts'
import { readTrees } from '../find-rows.ts'
import { noEndsReason, pathsSchema } from '../path-ends.ts'
import { type AdvantageId, advantages } from './advantages/advantages.ts'
import { type Branch, branchesOf } from './branch.ts'

const ids = ['none', ...Object.keys(advantages)] as ['none', ...AdvantageId[]]

export const creditParameters = z.strictObject({
  advantage: z
    .enum(ids)
    .default('grpo')
    .describe(
      'Credit of the steps: `grpo` and `rloo` by the rewards of the task’s branches; `tree-grpo` within trees and between them; `treerl` by the leaves below a step; `gigpo` also by equal states; `ppo` by the tree’s values; `none`: rewards alone.',
    ),
  scale: z
    .enum(['std', 'none'])
    .default('std')
    .describe(
      'Normalization of `grpo`, `tree-grpo` and `gigpo`: divide by the standard deviation, or only subtract the mean.',
    ),
  discount: z.number().gt(0).max(1).default(0.95).describe('γ of `gigpo` and `ppo`, per step.'),
  lambda: z.number().min(0).max(1).default(0.95).describe('λ of `ppo`.'),
  step_weight: z
    .number()
    .min(0)
    .default(1)
    .describe('ω of `gigpo`: the weight of the credit by equal states.'),
  paths: pathsSchema
    .default('ends')
    .describe('`ends`: every path that the search played to its end. `answer`: only the path to the answer.'),
  flat: z
    .enum(['drop', 'keep'])
    .default('drop')
    .describe('Handling of tasks whose advantages are all zero, which teach nothing.'),
})

export type CreditParameters = z.infer<typeof creditParameters>

export interface CreditedBranch extends Branch {
  /** One for each step; null: none were asked for. */
  advantages: readonly number[] | null
}

export interface CreditedAttempt {
  attempt: Attempt
  branches: CreditedBranch[]
}

/**
 * The branches of a task's attempts with their advantages, and the attempts that are outside the statistics. Ended
 * attempts with a reward are in, also those without a token record: a missing record changes no mean.
 */
export async function creditGroup(
  { attempts }: TaskGroup,
  options: CreditParameters,
  { signal }: KindScope,
): Promise<{ credited: CreditedAttempt[]; left_out: { attempt: Attempt; left_out: LeftOutReason }[] }> {
  const rewarded = attempts.filter(({ reward }) => reward !== null)
  const left_out: { attempt: Attempt; left_out: LeftOutReason }[] = attempts
    .filter(({ reward }) => reward === null)
    .map((attempt) => ({ attempt, left_out: 'no_reward' }))
  const played: { attempt: Attempt; branches: Branch[] }[] = []
  const trees = readTrees(rewarded, (tree) => tree, signal)
  for await (const { attempt, found: tree } of trees) {
    const branches = branchesOf(tree, played.length, attempt, options.paths)
    const reason = whyNot(branches, options)
    if (reason === null) played.push({ attempt, branches })
    else left_out.push({ attempt, left_out: reason })
  }
  const credit = creditOf(
    played.flatMap(({ branches }) => branches),
    options,
  )
  const isFlat = credit?.every((steps) => steps.every((advantage) => advantage === 0)) ?? false
  if (isFlat && options.flat === 'drop') {
    left_out.push(...played.map(({ attempt }) => ({ attempt, left_out: 'flat' as const })))
    return { credited: [], left_out }
  }
  const next = credit?.values()
  const credited = played.map(({ attempt, branches }) => ({
    attempt,
    branches: branches.map((branch) => ({ ...branch, advantages: next?.next().value ?? null })),
  }))
  return { credited, left_out }
}

function whyNot(branches: readonly Branch[], { advantage, paths }: CreditParameters): LeftOutReason | null {
  if (branches.length === 0) return noEndsReason(paths)
  const isValued = branches.every(({ steps }) => steps.every(({ value }) => value !== null))
  return advantage === 'ppo' && !isValued ? 'no_values' : null
}

function creditOf(
  branches: readonly Branch[],
  { advantage, ...options }: CreditParameters,
): number[][] | null {
  return advantage === 'none' ? null : advantages[advantage](branches, options)
}
