import { z } from 'zod'
import { usualProposals } from '../search/proposals.ts'
import type { Asked } from '../search/search-scope.ts'
import type { StatusScale } from '../search/values/statuses.ts'
import { usualVerdicts } from '../search/values/statuses.ts'

export const proposalParameters = {
  branching: z
    .int()
    .min(1)
    .max(64)
    .default(5)
    .describe('Maximum number of different actions kept at a node.'),
  proposals: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('Answers sampled at a node, in one call; by default 20, or twice the branching.'),
}

export const stopParameters = {
  stop_after_invalid: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Number of invalid actions in a row after which a path ends.'),
  stop_after_repeats: z
    .int()
    .min(2)
    .max(1000)
    .optional()
    .describe('Number of equal actions in a row after which a path ends.'),
}

/** ExACT's rules for stopping paths: after three unparsable actions, after five equal ones. */
export const exactStopParameters = {
  stop_after_invalid: stopParameters.stop_after_invalid.default(3),
  stop_after_repeats: stopParameters.stop_after_repeats.default(5),
}

export const valueParameters = {
  verdicts: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('Number of verdicts to average. Default: 20 of one judge, 3 in each order of a debate.'),
  rubric: z.boolean().default(true).describe('True if a judge first writes a list of checks.'),
  scale: z
    .enum(['rubric', 'debate', 'desktop'])
    .optional()
    .describe(
      'Values of the verdicts A to E: rubric 1, 0.9, 0.5, 0.2, 0; debate 1, 0.7, 0.5, -0.2, -1; desktop 1, 0.5, 0.2, -0.2, -1. Default: the scale of the value function.',
    ),
}

export const parallelParameter = z
  .int()
  .min(1)
  .max(256)
  .default(1)
  .describe(
    'Number of leaves processed in parallel. The tree differs from that with 1, but is always the same.',
  )

export const timeBudgetParameter = z
  .number()
  .positive()
  .max(1440)
  .optional()
  .describe(
    'Maximum minutes of working time of each search. Work already begun is finished, and each search tries at least one action. Searches per step have one budget for each action.',
  )

export const maxStepsParameter = z
  .int()
  .min(1)
  .max(1000)
  .optional()
  .describe('Maximum length of a trajectory, in actions. Default: the environment’s.')

export function derivedOfValue(value: string): { verdicts?: number; scale?: StatusScale } {
  return isJudged(value) ? usualVerdicts[value] : {}
}

export function derivedOfSearch({ branching, value }: { branching: number; value: string }) {
  return { proposals: usualProposals(branching), ...derivedOfValue(value) }
}

function isJudged(value: string): value is keyof typeof usualVerdicts {
  return value in usualVerdicts
}

export function rolesOfValue(value: string): Exclude<Asked, 'policy'>[] {
  if (value === 'debate') return ['value', 'debate']
  return value === 'judge' || value === 'single-debate' || value === 'endpoint' ? ['value'] : []
}
