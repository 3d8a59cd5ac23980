import { z } from 'zod'
import { restoreActionSchema } from '../../../../play/search/restore-action.ts'

export const explorationParameters = z.strictObject({
  min_reward: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The least reward of a search that gives rows; by default those that solved their task.'),
  search: z
    .enum(['until-found', 'whole'])
    .default('until-found')
    .describe(
      'How much of the search a row shows before each decision: up to where it first reached the chosen node, or all of it.',
    ),
  max_turns: z
    .int()
    .min(2)
    .max(10_000)
    .default(35)
    .describe('Searches that take more turns than this, of both sides together, are left out.'),
  max_context: z
    .int()
    .min(6)
    .max(10_000)
    .multipleOf(2)
    .default(16)
    .describe('Turns that a row shows at most, after the head: the first 4, and the last of the others.'),
  examples: z
    .enum(['all', 'backtracking'])
    .default('all')
    .describe('Whether searches that went straight to their answer give rows as well.'),
  imitation: z
    .boolean()
    .default(false)
    .describe(
      'The baseline to compare with: the answers’ paths of the same episodes, with nothing taken back and no value in words.',
    ),
  values: z
    .enum(['words', 'none'])
    .default('words')
    .describe(
      'What a turn says of a value for which no judge gave reasons: the number in a sentence, or nothing.',
    ),
  choose: z
    .enum(['nearest', 'model'])
    .default('nearest')
    .describe(
      'Which of the judges’ reasons a turn gives: that of the verdict nearest to the mean, or the one that a model finds to fit the action best.',
    ),
  rewrite: z
    .enum(['none', 'model'])
    .default('none')
    .describe('Whether a model makes one coherent thought of a turn’s parts; the action stays as it is.'),
  restore_action: restoreActionSchema
    .default('undo {{steps}}')
    .describe('The action that goes back to an earlier state.'),
})

export type ExplorationParameters = z.infer<typeof explorationParameters>
