import { z } from 'zod'
import { usualProposals } from '../search/proposals.ts'
import type { Asked } from '../search/search-scope.ts'
import type { StatusScale } from '../search/values/statuses.ts'
import { usualVerdicts } from '../search/values/statuses.ts'

export const proposalParameters = {
  branching: z.int().min(1).max(64).default(5).describe('Different actions that are kept at a node.'),
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
    .describe('A path is given up after so many invalid actions in a row.'),
  stop_after_repeats: z
    .int()
    .min(2)
    .max(1000)
    .optional()
    .describe('A path is given up after the same action so many times in a row.'),
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
    .describe('Verdicts averaged: by default 20 of one judge, 3 in each order of a debate.'),
  rubric: z.boolean().default(true).describe('Whether a judge first writes down what to check.'),
  scale: z
    .enum(['rubric', 'debate', 'desktop'])
    .optional()
    .describe(
      'What the verdicts A to E are worth: rubric 1, 0.9, 0.5, 0.2, 0; debate 1, 0.7, 0.5, -0.2, -1; desktop 1, 0.5, 0.2, -0.2, -1. By default that of the value function.',
    ),
}

export const parallelParameter = z
  .int()
  .min(1)
  .max(256)
  .default(1)
  .describe('Leaves that are looked at together; the tree is another one than with 1, but always the same.')

export const timeBudgetParameter = z
  .number()
  .positive()
  .max(1440)
  .optional()
  .describe(
    'Minutes of working time that each search may take, however many tries it has left; what has begun is finished, and each search tries something. Searches per step have one budget for each action.',
  )

export const maxStepsParameter = z
  .int()
  .min(1)
  .max(1000)
  .optional()
  .describe('The longest trajectory, in actions; by default what the environment states.')

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
