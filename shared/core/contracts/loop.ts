import { z } from 'zod'
import { datasetFormatSchema } from './dataset.ts'
import { jsonObjectSchema } from './json.ts'
import { episodeLimitsSchema, leastDollars, mostDollars } from './limits.ts'
import { loopRecipeIdSchema, loopSettingsSchema } from './loop-settings.ts'
import { modelChoiceSchema } from './model-choice.ts'
import { estimateSchema } from './report.ts'
import { runRequestSchema, taskSelectionSchema } from './run.ts'
import { loraSchema, trainingBaseSchema } from './training.ts'

const sourcesSchema = z.array(z.string().min(1)).max(1000)
const choice = modelChoiceSchema.shape

export const loopLimitsSchema = z
  .strictObject({
    cost: z
      .number()
      .positive()
      .min(leastDollars)
      .max(mostDollars)
      .optional()
      .describe('Maximum US dollars for all stages together.'),
    time: z.number().positive().optional().describe('Maximum seconds of running time, without pauses.'),
  })
  .meta({ id: 'LoopLimits' })

export type LoopLimits = z.infer<typeof loopLimitsSchema>

export const loopPolicySchema = z.strictObject({ endpoint: choice.endpoint, id: choice.id })

export type LoopPolicy = z.infer<typeof loopPolicySchema>

export const loopRequestSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    recipe: loopRecipeIdSchema,
    environment: z.string().min(1),
    data: runRequestSchema.shape.data,
    environment_options: runRequestSchema.shape.environment_options,
    hosting: runRequestSchema.shape.hosting,
    base: trainingBaseSchema.describe('The model that the loop improves.'),
    policy: loopPolicySchema
      .optional()
      .describe(
        'The endpoint for a base that is not registered; required if the base plays before the first training.',
      ),
    experts: sourcesSchema
      .default([])
      .describe('Runs or imported trajectories of an expert at training tasks.'),
    general: sourcesSchema
      .default([])
      .describe('Imported conversations to mix into the rows, by `settings.general_share`.'),
    tasks: z
      .strictObject({
        train: taskSelectionSchema
          .overwrite((selection) =>
            (selection.split ?? selection.ids ?? selection.generate)
              ? selection
              : { ...selection, split: 'train' },
          )
          .default({ split: 'train' })
          .describe('Tasks to explore. Default split here: `train`, unless `ids` or `generate` are given.'),
        dev: taskSelectionSchema
          .optional()
          .describe('Tasks for choosing between checkpoints; required if `candidates` is above 1.'),
        test: taskSelectionSchema
          .default({ split: 'test' })
          .describe('Tasks that evaluate the chosen model of each round; they never become training rows.'),
      })
      .prefault({})
      .describe('The selections must not share a task.'),
    model: z
      .strictObject({
        top_p: choice.top_p.optional(),
        max_tokens: choice.max_tokens,
        max_prompt_tokens: choice.max_prompt_tokens,
        stop: choice.stop,
      })
      .default({})
      .describe('Settings for the calls to every model of the loop, beside the temperatures in `settings`.'),
    settings: loopSettingsSchema
      .default({})
      .describe('Replaces settings of the recipe; GET /v1/loop-recipes lists those with their sources.'),
    evaluation_epochs: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe('Number of times the loop plays each test task.'),
    candidates: z
      .int()
      .min(1)
      .max(20)
      .default(1)
      .describe('Number of checkpoints of a training, the last ones, to play on the dev tasks.'),
    checkpoint_steps: z.int().positive().optional().describe('Steps between two checkpoints.'),
    metric: z
      .enum(['success_rate', 'reward'])
      .default('success_rate')
      .describe('The metric that decides between checkpoints and on the promotion of a model.'),
    patience: z
      .int()
      .min(1)
      .max(50)
      .nullable()
      .default(2)
      .describe('Number of rounds without a promotion after which the loop ends; null: it plays all rounds.'),
    max_errored: z
      .number()
      .min(0)
      .lt(1)
      .default(0.1)
      .describe('Maximum share of errored episodes in an evaluation that the loop compares.'),
    max_errored_difference: z
      .number()
      .min(0)
      .lt(1)
      .default(0.05)
      .describe('Maximum difference between the shares of errored episodes of two compared evaluations.'),
    control: z
      .boolean()
      .default(false)
      .describe(
        'True to add a control. It trains the start of round 1 for as many steps on the experts’ rows alone, and evaluates it on the same tasks.',
      ),
    promote_over: z
      .enum(['control', 'best'])
      .optional()
      .describe(
        '`control`, the default: a model is promoted only if it also beats the control, if there is one; `best`: the best model so far decides alone.',
      ),
    trainer: z
      .string()
      .min(1)
      .default('local')
      .describe('A configured trainer; GET /v1/trainers lists them.'),
    format: datasetFormatSchema
      .default('trl')
      .describe('Format of the datasets; the trainer must support it.'),
    lora: loraSchema
      .nullable()
      .default(null)
      .describe('LoRA settings to train adapters only; null: train all weights.'),
    seed: z.int().min(0).max(2_147_000_000).default(0),
    max_parallel: runRequestSchema.shape.max_parallel,
    max_retries: z
      .int()
      .min(0)
      .max(20)
      .default(1)
      .describe('Number of retries of an errored episode; each try of a bad model costs as much.'),
    episode_limits: episodeLimitsSchema.default({}),
    limits: loopLimitsSchema.default({}),
  })
  .meta({ id: 'LoopRequest' })

export type LoopRequest = z.infer<typeof loopRequestSchema>
export type LoopRequestInput = z.input<typeof loopRequestSchema>

export const loopStatusSchema = z.enum(['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'])

export type LoopStatus = z.infer<typeof loopStatusSchema>

export const loopStageSchema = z
  .object({
    id: z.string().describe('Its name in the round, such as `explore`.'),
    kind: z.enum(['explore', 'build', 'train', 'serve', 'evaluate']),
    purpose: z
      .enum(['round', 'experts', 'candidate', 'control'])
      .describe('`candidate`: a checkpoint on the dev tasks; `control`: beside round 1.'),
    object: z.enum(['run', 'dataset', 'training', 'endpoint']),
    ref: z.string().describe('The id of the run, dataset or training, or the name of the endpoint.'),
    tries: z.int().describe('Number of starts; above 1 after a failure.'),
    status: z.enum(['running', 'succeeded', 'failed']),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    seconds: z.number(),
    cost: z.number().nullable().describe('US dollars; null if there is no price.'),
    earlier: z
      .object({ cost: z.number().nullable(), seconds: z.number() })
      .exactOptional()
      .describe(
        'The total of its earlier tries, which failed. Absent: there are none, or a version before 0.2 left them out.',
      ),
    facts: jsonObjectSchema.describe('Its outcome, such as rows, steps or checkpoints.'),
  })
  .meta({ id: 'LoopStage' })

export type LoopStage = z.infer<typeof loopStageSchema>

export const roundOutcomeSchema = z
  .object({
    against: z.int().describe('The round whose model was the best before.'),
    difference: estimateSchema
      .nullable()
      .describe(
        'Metric of this model minus that of the previous best, paired by task; null if the loop refused the comparison.',
      ),
    over_control: estimateSchema
      .nullable()
      .optional()
      .describe('Metric of this model minus that of the control; absent if the control did not decide.'),
    refused: z.string().nullable().describe('The reason for refusing to compare the two evaluations.'),
    promoted: z.boolean().describe('True if its model became the best model.'),
    reason: z.string().describe('The reason for or against the promotion.'),
  })
  .meta({ id: 'RoundOutcome' })

export type RoundOutcome = z.infer<typeof roundOutcomeSchema>

export const loopRoundSchema = z
  .object({
    round: z.int(),
    start: z
      .string()
      .nullable()
      .describe('The registered model that its training starts from; null: the base.'),
    model: z
      .string()
      .nullable()
      .describe('The registered model that the round produced; null: none, or the base.'),
    policy: loopPolicySchema.nullable().describe('The endpoint of this model, once the service serves it.'),
    evaluation: z.string().nullable().describe('The run on the test tasks.'),
    stages: z.array(loopStageSchema),
    outcome: roundOutcomeSchema.nullable().describe('Null for round 0, and until the round has ended.'),
  })
  .meta({ id: 'LoopRound' })

export type LoopRound = z.infer<typeof loopRoundSchema>

const countedSplitSchema = z.object({
  tasks: z.int(),
  different: z.int().describe('Distinct tasks, if names of objects are ignored.'),
})

const heldOutSplitSchema = countedSplitSchema.extend({
  in_training: z.int().describe('Tasks equal to a training task of the loop except for names of objects.'),
})

export const loopSplitsSchema = z
  .object({ train: countedSplitSchema, dev: heldOutSplitSchema.nullable(), test: heldOutSplitSchema })
  .meta({ id: 'LoopSplits' })

export type LoopSplits = z.infer<typeof loopSplitsSchema>

export const loopSchema = z
  .object({
    id: z.string(),
    object: z.literal('loop'),
    name: z.string().nullable(),
    status: loopStatusSchema,
    reason: z.string().nullable().describe('The reason for a pause, or for its end.'),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    running_seconds: z.number().describe('Running time without pauses.'),
    request: loopRequestSchema.describe('The request with all settings of the recipe filled in.'),
    progress: z.object({
      round: z.int(),
      rounds: z.int(),
      stage: z.string().nullable().describe('The stage under way, or the one that paused the loop.'),
      ref: z.string().nullable(),
    }),
    rounds: z.array(loopRoundSchema),
    control: z
      .object({
        model: z.string().nullable(),
        policy: loopPolicySchema.nullable(),
        evaluation: z.string().nullable(),
      })
      .nullable()
      .describe('The control of round 1; null if the request asked for none.'),
    best: z.object({ round: z.int(), model: z.string().nullable() }).nullable(),
    without_gain: z.int().describe('Rounds since the last promotion.'),
    usage: z.object({ cost: z.number().nullable(), seconds: z.number().describe('Total of all stages.') }),
    warnings: z.array(z.string()),
    splits: loopSplitsSchema
      .nullish()
      .describe(
        'The tasks of each selection, compared without the names of their objects. Null if the environment has no forms of tasks; absent from older loops.',
      ),
  })
  .meta({ id: 'Loop' })

export type Loop = z.infer<typeof loopSchema>

export const resumeLoopSchema = z
  .strictObject({ limits: loopLimitsSchema.optional() })
  .meta({ id: 'ResumeLoop' })

export type ResumeLoop = z.infer<typeof resumeLoopSchema>
