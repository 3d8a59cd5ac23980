import { z } from 'zod'
import { usualProposals } from '../search/proposals.ts'
import { agentParameters } from './agent-parameters.ts'
import {
  addCalls,
  callsAt,
  countCalls,
  deepestGrowth,
  type Effort,
  type EffortBounds,
  longestCalls,
  spreadCalls,
} from './effort.ts'
import {
  exactStopParameters,
  maxStepsParameter,
  parallelParameter,
  proposalParameters,
  timeBudgetParameter,
  valueParameters,
} from './search-parameters.ts'
import { pauseParameter } from './turn-actions.ts'
import { valuedSideBySide, valueEffort } from './value-effort.ts'

export const puctParameters = {
  plan: z
    .enum(['per-step', 'whole-task'])
    .default('per-step')
    .describe('Searches before each action, or once for the whole task.'),
  iterations: z.int().min(1).max(100_000).default(20).describe('Descents of each search.'),
  time_budget: timeBudgetParameter,
  max_steps: maxStepsParameter,
  ...pauseParameter,
  exploration: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('The constant of the exploration term of PUCT.'),
  exploration_schedule: z
    .enum(['constant', 'linear', 'exponential', 'cosine'])
    .default('constant')
    .describe('How the constant changes over the iterations.'),
  exploration_end: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Which part of the constant is left at the last iteration, unless it is constant.'),
  backup: z
    .enum(['mean', 'max'])
    .default('mean')
    .describe('What an action is worth: the mean or the best of its visits.'),
  child_choice: z
    .enum(['best', 'sample', 'random'])
    .default('best')
    .describe('Which proposed actions are kept: the most frequent, a draw by frequency, or any.'),
  branching_schedule: z
    .enum(['constant', 'decaying'])
    .default('constant')
    .describe('Whether nodes further down keep fewer actions.'),
  branching_coefficient: z
    .number()
    .positive()
    .max(1000)
    .default(1)
    .describe('After so many levels a decaying branching is half of what it was.'),
  prior_temperature: z
    .number()
    .positive()
    .max(100)
    .default(1)
    .describe('Above 1, priors are closer together than the frequencies of the actions.'),
  reuse: z
    .boolean()
    .default(false)
    .describe(
      'Whether a search per step goes on with the part of the tree that the one before left below its root.',
    ),
  advance_every: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Of a search for the whole task: after so many iterations its root moves to the most visited child.',
    ),
  advance_counter: z
    .enum(['iterations', 'subtree_size'])
    .optional()
    .describe(
      'What `advance_every` counts: iterations since the last move, or descents through the present root, those from before it was the root included. By default iterations.',
    ),
  parallel: parallelParameter,
  ...proposalParameters,
  ...valueParameters,
  ...agentParameters,
  ...exactStopParameters,
}

const schema = z.strictObject(puctParameters)

export type PuctParameters = z.infer<typeof schema>

export function puctEffort(parameters: PuctParameters & { value: string }, bounds: EffortBounds): Effort {
  const { plan, branching, proposals = usualProposals(branching), parallel, value } = parameters
  const longest = parameters.max_steps ?? bounds.max_steps
  const searches = plan === 'per-step' ? longest : 1
  const [proposed, valued] = mostOfSearches(parameters, { longest, searches })
  const at_most = longestCalls(proposed, bounds.steps + searches)
  const likely = Math.min(countCalls(at_most), countCalls(proposed) / 2)
  const possible = longestCalls(valued, bounds.steps)
  return {
    expected: spreadCalls(longest, likely),
    at_most,
    answers: proposals,
    others: valueEffort(parameters, {
      expected: spreadCalls(longest, Math.min(countCalls(possible), likely)),
      at_most: possible,
    }),
    side_by_side: parallel * (1 + valuedSideBySide(value)),
    reason: 'half of the calls that the searches can make',
  }
}

function mostOfSearches(
  { iterations, reuse }: Pick<PuctParameters, 'iterations' | 'reuse'>,
  { longest, searches }: { longest: number; searches: number },
): [proposed: number[], valued: number[]] {
  let proposed: number[] = []
  let valued: number[] = []
  for (let root = 0; root < searches; root += 1) {
    // A tree kept from the previous search is already deep.
    const isGrown = reuse && root > 0
    const grow = (deepest: number) =>
      isGrown ? callsAt(deepest, iterations) : deepestGrowth(root, iterations, deepest)
    proposed = addCalls(proposed, addCalls(callsAt(root, isGrown ? 0 : 1), grow(longest - 1)))
    valued = addCalls(valued, grow(longest))
  }
  return [proposed, valued]
}
