import { z } from 'zod'
import { jsonObjectSchema, jsonSchema } from './json.ts'
import { methodChoiceSchema, promptTextsSchema } from './run.ts'

export const loopRecipeIdSchema = z.enum([
  'rft',
  'eto',
  'agent-r',
  'exploratory',
  'step-dpo',
  'grpo',
  'tree-grpo',
])

export type LoopRecipeId = z.infer<typeof loopRecipeIdSchema>

/** One value for every round, or a list: the first for round 1, the last also for all later rounds. */
function perRound<Value extends z.ZodType>(value: Value) {
  return z.union([value, z.array(value).min(1).max(50)])
}

const shareSchema = z.number().gt(0).lt(1)

/**
 * The settings of a recipe, which a request may replace. Every field is optional: a recipe names its own, with their
 * values and sources, and refuses the others.
 */
export const loopSettingsSchema = z
  .strictObject({
    rounds: z.int().min(1).max(50).optional().describe('Rounds after round 0, which measures the start.'),
    warm_start: z
      .enum(['sft', 'none'])
      .optional()
      .describe('`sft`: round 0 trains the base on the rows of the experts; `none`: the base is the start.'),
    start_from: perRound(z.enum(['base', 'previous', 'best']))
      .optional()
      .describe(
        'Model from which the training of a round starts: the base of the loop, the model of the previous round, or the best so far.',
      ),
    explore_with: perRound(z.enum(['previous', 'best']))
      .optional()
      .describe('Model that explores in a round: that of the previous round, or the best so far.'),
    method: methodChoiceSchema.optional().describe('The method for the training tasks.'),
    samples: perRound(z.int().min(1).max(1000))
      .optional()
      .describe('Number of times a round plays each training task.'),
    token_budget: perRound(z.int().positive())
      .optional()
      .describe(
        'Maximum input and output tokens of a round for each training task, split equally among its `samples`. A method stops at its share.',
      ),
    temperature: perRound(z.number().min(0).max(2)).optional().describe('Temperature of exploration.'),
    evaluation_method: methodChoiceSchema.optional().describe('The method for the test and dev tasks.'),
    evaluation_temperature: z.number().min(0).max(2).optional(),
    prompts: promptTextsSchema
      .optional()
      .describe('Replacement texts for the prompts of `method`, by prompt id; each method lists its ids.'),
    evaluation_prompts: promptTextsSchema
      .optional()
      .describe(
        'Replacement texts for the prompts of `evaluation_method`. Absent: those in `prompts`, if both methods are the same.',
      ),
    min_reward: perRound(z.number().min(0).max(1))
      .optional()
      .describe('Minimum reward of attempts to learn from; absent: only attempts that solved their task.'),
    alpha: perRound(z.number().min(0).max(1))
      .optional()
      .describe('The reward that a good path must reach to be the end of a revision.'),
    beta: perRound(z.number().min(0).max(1))
      .optional()
      .describe('A good path’s reward must exceed that of the bad path that it revises by more than this.'),
    margin: perRound(z.number().min(0).max(1))
      .optional()
      .describe('The rewards or values of the two sides of a pair must differ by more than this.'),
    kind_parameters: jsonObjectSchema
      .optional()
      .describe('Further parameters of the dataset kind; each kind lists its own.'),
    expert_rows: perRound(z.boolean())
      .optional()
      .describe('True to train on the rows of the experts too, beside those of the round.'),
    expert_share: perRound(shareSchema)
      .optional()
      .describe('Share of an epoch’s rows that come from the experts; absent: all of their rows, once.'),
    earlier_rounds: perRound(z.enum(['none', 'all']))
      .optional()
      .describe('`all`: also train on the datasets of earlier rounds, beside that of the round.'),
    earlier_share: perRound(shareSchema)
      .optional()
      .describe('Share of an epoch’s rows that come from earlier rounds; absent: all of their rows, once.'),
    general_share: perRound(shareSchema)
      .optional()
      .describe('Share of a dataset’s rows that come from the conversations named in `general`.'),
    learning_rate: perRound(z.number().positive()).optional(),
    epochs: perRound(z.number().positive()).optional().describe('Passes over the rows.'),
    dpo_beta: perRound(z.number().positive())
      .optional()
      .describe('Strength with which DPO keeps the model close to its start.'),
    hyperparameters: jsonObjectSchema
      .optional()
      .describe('Further hyperparameters of every round; each recipe lists its own.'),
    warm_start_hyperparameters: jsonObjectSchema
      .optional()
      .describe('Hyperparameters of the training on the rows of the experts, and of the control.'),
  })
  .meta({ id: 'LoopSettings' })

export type LoopSettings = z.infer<typeof loopSettingsSchema>
export type LoopSettingName = keyof LoopSettings

export function ofRound<Value>(value: Value | Value[] | undefined, round: number): Value | undefined {
  return Array.isArray(value) ? value[Math.min(round, value.length) - 1] : value
}

export const loopRecipeInfoSchema = z
  .object({
    id: loopRecipeIdSchema,
    object: z.literal('loop_recipe'),
    title: z.string(),
    paper: z.string(),
    kind: z.string().describe('Kind of the datasets that its rounds build.'),
    training: z.string().describe('The training recipe of its rounds.'),
    settings: z.array(
      z.object({
        field: z.string(),
        value: jsonSchema.nullable().describe('Null: no value unless a request sets one.'),
        source: z.string().describe('The source of the value.'),
      }),
    ),
    preset: z
      .object({ id: z.string(), fields: z.array(z.string()) })
      .nullable()
      .default(null)
      .describe('Preset whose fields apply to the runs of a loop, unless its request sets them.'),
    deviations: z.array(z.string()).describe('Remaining differences from the paper.'),
  })
  .meta({ id: 'LoopRecipe' })

export type LoopRecipeInfo = z.infer<typeof loopRecipeInfoSchema>
