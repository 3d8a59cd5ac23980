import { z } from 'zod'
import type { DatasetFormatId, DatasetKindId } from './dataset.ts'
import { type Json, jsonObjectSchema } from './json.ts'
import { leastDollars, mostDollars } from './limits.ts'

export const trainingRecipeSchema = z.enum(['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo', 'policy-gradient'])

export type TrainingRecipe = z.infer<typeof trainingRecipeSchema>

export const trainingBaseSchema = z
  .union([
    z.strictObject({ registered: z.string().min(1).describe('The id of a registered model.') }),
    z.strictObject({
      hub: z
        .string()
        .min(1)
        .describe(
          'A model that the trainer reads from the hub, as owner/name; or its name at the service that trains it.',
        ),
      revision: z.string().min(1).optional(),
    }),
    z.strictObject({
      folder: z.string().min(1).describe('A folder on the trainer’s machine with weights and tokenizer.'),
    }),
  ])
  .meta({ id: 'TrainingBase' })

export type TrainingBase = z.infer<typeof trainingBaseSchema>

export const loraSchema = z
  .strictObject({
    rank: z.int().min(1).max(1024).default(16),
    alpha: z.number().positive().default(32).describe('The update is scaled by alpha / rank.'),
    dropout: z.number().min(0).lt(1).default(0.05),
    target_modules: z
      .union([z.literal('all-linear'), z.array(z.string().min(1)).min(1)])
      .default('all-linear')
      .describe('Names of the layers that get an adapter.'),
    merge: z
      .boolean()
      .default(true)
      .describe('True to merge the adapter into the weights at the end, so that any server reads the model.'),
  })
  .meta({ id: 'Lora' })

export type Lora = z.infer<typeof loraSchema>

const trainingDatasetSchema = z.strictObject({
  dataset: z.string().min(1).describe('The id of a dataset that has succeeded.'),
  split: z.string().min(1).default('train'),
  share: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('Share of an epoch’s rows that come from this dataset. Set it for all datasets or for none.'),
})

export const trainingLimitsSchema = z
  .strictObject({
    cost: z.number().positive().min(leastDollars).max(mostDollars).optional().describe('Maximum US dollars.'),
    time: z.number().positive().optional().describe('Maximum seconds of working time, without waiting.'),
  })
  .meta({ id: 'TrainingLimits' })

export type TrainingLimits = z.infer<typeof trainingLimitsSchema>

export const trainingRequestSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    base: trainingBaseSchema,
    datasets: z.array(trainingDatasetSchema).min(1).max(100),
    recipe: trainingRecipeSchema,
    trainer: z
      .string()
      .min(1)
      .default('local')
      .describe('A configured trainer; GET /v1/trainers lists them.'),
    hyperparameters: jsonObjectSchema
      .default({})
      .describe('Hyperparameters of the recipe; GET /v1/training-recipes lists them with their defaults.'),
    lora: loraSchema
      .nullable()
      .default(null)
      .describe('LoRA settings to train adapters only; null: train all weights.'),
    seed: z.int().min(0).max(2_147_483_647).default(0),
    limits: trainingLimitsSchema
      .default({})
      .describe('Reaching one pauses the training at a checkpoint; resume continues it.'),
    checkpoint_steps: z
      .int()
      .positive()
      .optional()
      .describe('Steps between two checkpoints. Default: a tenth of all steps.'),
    keep_checkpoints: z.int().min(1).max(100).default(3).describe('Number of newest checkpoints to keep.'),
  })
  .meta({ id: 'TrainingRequest' })

export type TrainingRequest = z.infer<typeof trainingRequestSchema>
export type TrainingRequestInput = z.input<typeof trainingRequestSchema>

export interface PlannedTraining
  extends Pick<
    TrainingRequest,
    'base' | 'checkpoint_steps' | 'hyperparameters' | 'lora' | 'recipe' | 'seed' | 'trainer'
  > {
  data: { kind: DatasetKindId; format: DatasetFormatId }
}

export const trainingStatusSchema = z.enum([
  'queued',
  'running',
  'paused',
  'succeeded',
  'failed',
  'cancelled',
])

export type TrainingStatus = z.infer<typeof trainingStatusSchema>

export const trainingReasonSchema = z.enum([
  'asked',
  'cost_limit',
  'time_limit',
  'refused',
  'not_finite',
  'out_of_memory',
  'disk_full',
  'trainer_failed',
  'trainer_died',
  'gave_up',
])

export type TrainingReason = z.infer<typeof trainingReasonSchema>

export const trainingProgressSchema = z.object({
  phase: z
    .enum([
      'waiting',
      'preparing',
      'starting',
      'checking',
      'loading',
      'training',
      'saving',
      'registering',
      'done',
    ])
    .describe('`waiting`: for the cause in `waiting_for`; `checking`: the tokenizer measures the rows.'),
  step: z.int(),
  steps: z.int().describe('Total number of steps; 0 until known.'),
  tokens: z.int().describe('Tokens seen so far.'),
  tokens_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
  waiting_for: z
    .string()
    .nullable()
    .default(null)
    .describe('The resource it waits for, such as an accelerator that the server of a model holds.'),
})

export type TrainingProgress = z.infer<typeof trainingProgressSchema>

export const trainingPointSchema = z
  .object({
    step: z.int(),
    seconds: z.number().describe('Working time until this step.'),
    tokens: z.int(),
    loss: z.number(),
    accuracy: z
      .number()
      .nullable()
      .describe('Share of correctly predicted tokens (sft), or of correctly ranked pairs (dpo, rpo).'),
    learning_rate: z.number().nullable(),
    values: z.record(z.string(), z.number()).describe('Other values from the trainer, by its names.'),
  })
  .meta({ id: 'TrainingPoint' })

export type TrainingPoint = z.infer<typeof trainingPointSchema>

export const trainingCheckpointSchema = z.object({
  step: z.int(),
  files: z.int(),
  bytes: z.int(),
  sha256: z.string().describe('Digest of the list of its files with their digests.'),
  has_optimizer: z
    .boolean()
    .describe('True if a training can resume from it; if false, it has the weights alone.'),
  remote: z
    .string()
    .nullable()
    .default(null)
    .describe('Its name at the service that keeps it, if it has no files here.'),
})

export type TrainingCheckpoint = z.infer<typeof trainingCheckpointSchema>

export const trainingRowsSchema = z.object({
  total: z.int().describe('Rows of an epoch, after mixing.'),
  by_dataset: z.array(
    z.object({
      dataset: z.string(),
      split: z.string(),
      rows: z.int().describe('Rows of the dataset.'),
      used: z.int().describe('Rows used in an epoch; more than `rows` if its share requires repetition.'),
    }),
  ),
  tokens: z.int().nullable().describe('Tokens of an epoch.'),
  learned_tokens: z.int().nullable().describe('Of these, the tokens with a loss.'),
  longest: z.int().nullable().describe('Tokens of the longest row.'),
  too_long: z.int().nullable().describe('Rows longer than `max_length`.'),
  truncated: z.int().nullable(),
  dropped: z.int().nullable().describe('Rows dropped because they are too long.'),
})

export type TrainingRows = z.infer<typeof trainingRowsSchema>

export const trainingSchema = z
  .object({
    id: z.string(),
    object: z.literal('training'),
    name: z.string().nullable(),
    status: trainingStatusSchema,
    error: z.string().nullable().describe('The reason for the failure or pause, in words.'),
    reason: trainingReasonSchema.nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    request: trainingRequestSchema.describe(
      'The request with all defaults filled in, hyperparameters included.',
    ),
    progress: trainingProgressSchema,
    metrics: trainingPointSchema.nullable().describe('The last logged step.'),
    rows: trainingRowsSchema,
    usage: z.object({
      seconds: z.number().describe('Working time of all starts together.'),
      cost: z.number().describe('US dollars.'),
      starts: z.int().describe('Number of starts of the trainer.'),
    }),
    checkpoints: z.array(trainingCheckpointSchema),
    model: z.string().nullable().describe('The registered model that it made.'),
    log_tail: z.array(z.string()).describe('The last lines of the trainer.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Training' })

export type Training = z.infer<typeof trainingSchema>

export const resumeTrainingSchema = z
  .strictObject({
    limits: trainingLimitsSchema.optional().describe('New limits; those left out stay as they are.'),
  })
  .meta({ id: 'ResumeTraining' })

export type ResumeTraining = z.infer<typeof resumeTrainingSchema>

export const trainingRecipeInfoSchema = z
  .object({
    id: trainingRecipeSchema,
    object: z.literal('training_recipe'),
    description: z.string(),
    source: z.string().describe('Source of the defaults.'),
    kinds: z.array(z.string()).describe('The kinds of datasets that it learns from.'),
    hyperparameters: jsonObjectSchema.describe('A JSON Schema with the defaults.'),
  })
  .meta({ id: 'TrainingRecipe' })

export type TrainingRecipeInfo = z.infer<typeof trainingRecipeInfoSchema>

export const trainerInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('trainer'),
    kind: z.enum(['local', 'command', 'openai', 'aws']),
    description: z.string(),
    recipes: z.array(trainingRecipeSchema),
    formats: z.array(z.string()).describe('The formats of datasets that it reads.'),
    hyperparameters: z
      .record(z.string(), jsonObjectSchema)
      .optional()
      .describe(
        'By recipe, a JSON Schema of its own hyperparameters, if they differ from those of GET /v1/training-recipes.',
      ),
  })
  .meta({ id: 'Trainer' })

export type TrainerInfo = z.infer<typeof trainerInfoSchema>

export type Hyperparameters = { [name: string]: Json }
