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
    .describe('`per-step`: a search before each action. `whole-task`: one search for the whole task.'),
  iterations: z.int().min(1).max(100_000).default(20).describe('Number of descents of each search.'),
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
    .describe('Schedule of the exploration constant over the iterations.'),
  exploration_end: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe(
      'Fraction of the exploration constant left at the last iteration, unless the schedule is `constant`.',
    ),
  backup: z
    .enum(['mean', 'max'])
    .default('mean')
    .describe('Value of an action: the mean or the maximum of its visits.'),
  child_choice: z
    .enum(['best', 'sample', 'random'])
    .default('best')
    .describe(
      'Choice of the proposed actions to keep: the most frequent, a draw by frequency, or a uniform draw.',
    ),
  branching_schedule: z
    .enum(['constant', 'decaying'])
    .default('constant')
    .describe('`decaying`: deeper nodes keep fewer actions.'),
  branching_coefficient: z
    .number()
    .positive()
    .max(1000)
    .default(1)
    .describe('Number of levels after which a decaying branching is halved.'),
  prior_temperature: z
    .number()
    .positive()
    .max(100)
    .default(1)
    .describe(
      'Temperature of the priors: above 1, they are closer together than the frequencies of the actions.',
    ),
  reuse: z
    .boolean()
    .default(false)
    .describe('True if a search per step continues the previous search’s tree below its new root.'),
  advance_every: z
    .int()
    .min(1)
    .optional()
    .describe(
      'For one search of the whole task: number of iterations after which its root moves to the most visited child.',
    ),
  advance_counter: z
    .enum(['iterations', 'subtree_size'])
    .optional()
    .describe(
      'Unit of `advance_every`: iterations since the last move (default), or descents through the present root, including those from before it became the root.',
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
