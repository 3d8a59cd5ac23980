import { z } from 'zod'
import { restoreActionSchema } from '../../../../play/search/restore-action.ts'

export const explorationParameters = z.strictObject({
  min_reward: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Minimum reward of searches to build rows from. Default: searches that solved their task.'),
  search: z
    .enum(['until-found', 'whole'])
    .default('until-found')
    .describe(
      'Part of the search that a row shows before each decision: until it first reached the chosen node, or all of it.',
    ),
  max_turns: z
    .int()
    .min(2)
    .max(10_000)
    .default(35)
    .describe('Maximum number of turns of a search, of both sides together; longer searches are left out.'),
  max_context: z
    .int()
    .min(6)
    .max(10_000)
    .multipleOf(2)
    .default(16)
    .describe('Maximum number of turns in a row after the head: the first 4, and the last of the others.'),
  examples: z
    .enum(['all', 'backtracking'])
    .default('all')
    .describe(
      '`all`: also rows from searches that went straight to their answer. `backtracking`: only from others.',
    ),
  imitation: z
    .boolean()
    .default(false)
    .describe(
      'True for the imitation baseline: the answers’ paths of the same episodes, without backtracking and without values in words.',
    ),
  values: z
    .enum(['words', 'none'])
    .default('words')
    .describe('Text of a turn for a value without a judge’s reasons: the number in a sentence, or nothing.'),
  choose: z
    .enum(['nearest', 'model'])
    .default('nearest')
    .describe(
      'Judge’s reason that a turn states: that of the verdict nearest to the mean, or the one that a model finds to fit the action best.',
    ),
  rewrite: z
    .enum(['none', 'model'])
    .default('none')
    .describe(
      '`model`: a model rewrites a turn’s parts as one coherent thought; the action stays unchanged.',
    ),
  restore_action: restoreActionSchema
    .default('undo {{steps}}')
    .describe('The action that goes back to an earlier state.'),
})

export type ExplorationParameters = z.infer<typeof explorationParameters>
