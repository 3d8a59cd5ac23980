import { z } from 'zod'
import { answerCountsSchema, answerWarningSchema } from './answers.ts'
import { boundedUsageSchema } from './bounded-usage.ts'
import { endpointWarningSchema } from './endpoint-warning.ts'
import { fewShotTurnSchema } from './few-shot-turn.ts'
import { groupSettingsSchema } from './group-settings.ts'
import { jsonObjectSchema } from './json.ts'
import { labelFilterShape, labelsShape } from './labels.ts'
import { episodeLimitsSchema, runLimitsSchema } from './limits.ts'
import { modelChoiceSchema, roleChoiceSchema, roleSchema } from './model-choice.ts'
import { lastProblemSchema } from './model-failure.ts'
import { passportSchema } from './passport.ts'
import { chosenPresetSchema, presetIdSchema } from './preset.ts'
import { provenanceSchema, unknownProvenance } from './provenance.ts'
import { resolvedDefaultsSchema } from './resolved-defaults.ts'
import { taskGenerationSchema } from './task-generation.ts'
import { usageSchema } from './usage.ts'
import { workerChoiceSchema } from './workers.ts'

/**
 * Selects the environment's tasks. `ids` names them, `generate` creates them; otherwise the filters narrow the split.
 */
export const taskSelectionSchema = z
  .strictObject({
    split: z
      .string()
      .min(1)
      .optional()
      .describe('A split of the environment, such as `train`. Default: `test`, unless `ids` are named.'),
    ids: z.array(z.string().min(1)).min(1).max(200_000).optional(),
    generate: taskGenerationSchema
      .optional()
      .describe(
        'Generates tasks instead of using the existing ones: any number, with disjoint splits. Excludes `split` and `ids`.',
      ),
    range: z
      .tuple([z.int().nonnegative(), z.int().positive()])
      .optional()
      .describe('Positions in the split: the first (included) and the end (excluded).'),
    types: z.array(z.string().min(1)).min(1).optional().describe('Only tasks of these types.'),
    limit: z.int().positive().optional().describe('Maximum number of tasks; the run plays the first ones.'),
  })
  .meta({ id: 'TaskSelection' })

export type TaskSelection = z.infer<typeof taskSelectionSchema>

export const methodChoiceSchema = z
  .looseObject({
    id: z.string().min(1).describe('A method; GET /v1/methods lists them with their parameters.'),
  })
  .meta({ id: 'MethodChoice' })

export const promptTextsSchema = z.record(z.string().min(1).max(100), z.string().min(1).max(100_000))

export const runRequestSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    preset: z
      .union([presetIdSchema, chosenPresetSchema])
      .optional()
      .describe(
        'A paper’s settings under one name; GET /v1/presets lists them. Fields that the body omits, also `method` and the split of the tasks, come from the preset; the stored request has them in full. Fields in the body stay, and `deviations` lists them.',
      ),
    environment: z.string().min(1),
    tasks: taskSelectionSchema.default({ split: 'test' }),
    method: methodChoiceSchema,
    model: modelChoiceSchema,
    roles: z
      .partialRecord(roleSchema, roleChoiceSchema)
      .default({})
      .describe(
        'Models for roles other than the policy. Fields that a role omits come from `model`. Without `embedding`, notes are matched by their words.',
      ),
    prompts: promptTextsSchema
      .default({})
      .describe('Replacement texts for the method’s prompts, by prompt id; GET /v1/methods lists them.'),
    examples: z
      .array(fewShotTurnSchema)
      .min(2)
      .max(200)
      .optional()
      .describe(
        'Few-shot turns before the task that replace the environment’s example; user and assistant alternate. With the layout `system`, the system text states their number.',
      ),
    record: z
      .enum(['text', 'tokens'])
      .optional()
      .describe(
        '`tokens`: also keeps the token ids of prompts and answers with log-probabilities, sampler settings and the model’s version, for training. Default: `text`; `tokens` if the endpoint of the model is `trainable`.',
      ),
    epochs: z.int().min(1).max(10_000).default(1).describe('Number of times the run plays each task.'),
    hosting: z
      .enum(['auto', 'worker', 'host'])
      .default('auto')
      .describe(
        'Location of the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
      ),
    data: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe(
        'The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
      ),
    environment_options: jsonObjectSchema
      .optional()
      .describe(
        'The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
      ),
    seed: z.int().min(0).max(2_147_483_647).default(0),
    sampling_seed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe(
        'Seed of everything drawn in play, such as the samples of the model. `seed` then decides only the problems. Default: `seed`.',
      ),
    max_parallel: z.int().min(1).max(100_000).default(64).describe('Maximum number of episodes in flight.'),
    workers: workerChoiceSchema
      .optional()
      .describe(
        'Workers of a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less if a model is slow to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. Default: the deployment’s setting. A service on one machine ignores this.',
      ),
    max_retries: z
      .int()
      .min(0)
      .max(20)
      .default(2)
      .describe('Number of retries of an episode that ended with an error.'),
    limits: runLimitsSchema.default({}),
    episode_limits: episodeLimitsSchema.default({}),
    metadata: z.record(z.string().max(64), z.string().max(512)).default({}),
    ...labelsShape,
  })
  .meta({
    id: 'RunRequest',
    // A preset includes a method: it is expanded before a body is checked.
    required: ['environment', 'model'],
    anyOf: [{ required: ['method'] }, { required: ['preset'] }],
  })

export type RunRequest = z.infer<typeof runRequestSchema>
export type RunRequestInput = z.input<typeof runRequestSchema>

export const runStatusSchema = z.enum(['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'])

export type RunStatus = z.infer<typeof runStatusSchema>

export const episodeCountsSchema = z
  .object({
    total: z.int(),
    waiting: z.int().describe('Not started yet.'),
    active: z.int().describe('Queued for a worker or being played.'),
    succeeded: z.int(),
    failed: z.int(),
    limited: z.int(),
    errored: z.int(),
    cancelled: z.int(),
  })
  .meta({ id: 'EpisodeCounts' })

export type EpisodeCounts = z.infer<typeof episodeCountsSchema>

export const runSchema = z
  .object({
    id: z.string(),
    object: z.literal('run'),
    status: runStatusSchema,
    status_reason: z.string().nullable().describe('The reason for the pause or failure.'),
    last_problem: lastProblemSchema
      .nullable()
      .optional()
      .describe(
        'The problem that keeps calls to its models without an answer, with the next try; null while they get answers, and after the run’s end.',
      ),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    running_seconds: z.number().describe('Time spent running, pauses left out.'),
    episodes: episodeCountsSchema,
    usage: usageSchema.describe('Everything paid for, calls whose answer was lost included.'),
    lost_calls: z
      .int()
      .describe(
        'Paid calls whose answer was lost, for example because a process was killed. On AWS, also calls that a killed function or task had not counted yet.',
      ),
    bounds: boundedUsageSchema
      .exactOptional()
      .describe(
        'The calls in `usage` that count at their upper bound, because their answer was lost and no log of the endpoint has their usage. Absent if there are none.',
      ),
    answers: answerCountsSchema
      .exactOptional()
      .describe('The answers of the ended episodes; absent if none of those counted them.'),
    answer_warnings: z
      .array(answerWarningSchema)
      .describe(
        'Warnings about these answers. Each names a fault that at least 1 % of them have; for `unparsable`, at least 10 %.',
      ),
    warnings: z
      .array(endpointWarningSchema)
      .exactOptional()
      .describe('Signs in its answers that an endpoint is set up wrong; left out if there are none.'),
    learning_episodes: z.int().describe('Number of its episodes that learn for the others.'),
    memory: z.string().nullable().describe('The memory that its episodes write; GET /v1/memories.'),
    library: z.string().nullable().describe('The library that its episodes write; GET /v1/libraries.'),
    live: z
      .boolean()
      .describe(
        'True if its episodes read each other’s results as they run; a repeat then gives other results.',
      ),
    provenance: provenanceSchema
      .default(unknownProvenance)
      .describe('The data of its tasks at the creation of the run.'),
    rollout: groupSettingsSchema
      .exactOptional()
      .describe('Its groups, if POST /v1/rollouts began it: its `request.model` is the newest policy.'),
    passport: passportSchema
      .exactOptional()
      .describe('The terms that runs must share to be ranked together; absent in runs that play no tasks.'),
    archived_at: z.iso
      .datetime()
      .optional()
      .describe('Time of archiving; lists omit archived entries by default. Absent: not archived.'),
    request: runRequestSchema
      .extend({ method: methodChoiceSchema.and(jsonObjectSchema) })
      .describe('The request of the run, with the latest `name`, `experiment`, `tags` and `note`.'),
    resolved: resolvedDefaultsSchema
      .optional()
      .describe(
        'Values that the request leaves open, as the run settled them. Absent in runs older than this record, and in runs that play no tasks.',
      ),
  })
  .meta({ id: 'Run' })

export type Run = z.infer<typeof runSchema>

export const runFilterSchema = z.object({
  status: runStatusSchema.optional().describe('Only runs with this status.'),
  environment: z.string().min(1).optional().describe('Only runs in this environment.'),
  method: z.string().min(1).optional().describe('Only runs with this method.'),
  model: z.string().min(1).optional().describe('Only runs whose policy is this model, by its id.'),
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only runs whose name contains this text, ignoring case.'),
  ...labelFilterShape,
})

export type RunFilter = z.infer<typeof runFilterSchema> & {
  metadata?: Record<string, string> | undefined
  rollouts?: true | undefined
}

export const resumeRequestSchema = z
  .strictObject({ limits: runLimitsSchema.optional() })
  .meta({ id: 'ResumeRequest' })

export const extendRequestSchema = z
  .strictObject({
    method: jsonObjectSchema
      .optional()
      .describe('Method parameters to replace, such as `{"iterations": 8}`.'),
    limits: runLimitsSchema.optional(),
    episode_limits: episodeLimitsSchema.optional(),
  })
  .meta({ id: 'ExtendRequest' })

export type ResumeRequest = z.infer<typeof resumeRequestSchema>
export type ExtendRequest = z.infer<typeof extendRequestSchema>
