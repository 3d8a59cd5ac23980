import { z } from 'zod'
import { abilitySchema } from './ability.ts'
import { answerWarningSchema } from './answers.ts'
import { experimentNameSchema, tagsSchema } from './labels.ts'
import { provenanceSchema } from './provenance.ts'
import { estimateSchema } from './report.ts'
import { usageSchema } from './usage.ts'

export const mostLeaderboardRuns = 200

export const leaderboardRequestSchema = z
  .strictObject({
    experiment: experimentNameSchema.optional(),
    tags: tagsSchema.min(1).optional().describe('Only runs with all of these tags.'),
    runs: z
      .array(z.string().min(1))
      .min(1)
      .max(mostLeaderboardRuns)
      .optional()
      .describe('A run that is given several times counts once.'),
  })
  .refine(
    ({ experiment, runs, tags }) => (runs === undefined) !== (experiment === undefined && tags === undefined),
    { message: 'Give an experiment or tags, or runs' },
  )
  .meta({ id: 'LeaderboardRequest' })

export type LeaderboardRequest = z.infer<typeof leaderboardRequestSchema>

const settingsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const entrySchema = z
  .object({
    id: z.string(),
    label: z.string().describe('Its method, with the settings that distinguish it from the other entries.'),
    method: z.string(),
    model: z.string().describe('`endpoint/id`.'),
    settings: settingsSchema.describe('Settings that differ from other entries, by fields of the request.'),
    average: z
      .object({ success_rate: estimateSchema, mean_cost: z.number().nullable(), on_front: z.boolean() })
      .nullable()
      .describe(
        'Mean over the environments, each with equal weight; null if the entry has no comparable cell with a reward for every task in one of them.',
      ),
  })
  .meta({ id: 'LeaderboardEntry' })

const environmentSchema = z
  .object({
    id: z.string(),
    label: z.string().describe('The environment, with the settings that distinguish it from the others.'),
    environment: z.string(),
    provenance: provenanceSchema,
    settings: settingsSchema.describe(
      'Settings that differ from other environments: data, options, limits of episodes.',
    ),
    tasks: z.int().describe('Number of tasks that each comparable cell plays.'),
  })
  .meta({ id: 'LeaderboardEnvironment' })

const cellSchema = z
  .object({
    entry: z.string(),
    environment: z.string(),
    runs: z.array(z.object({ run: z.string(), name: z.string().nullable(), seed: z.int() })),
    complete: z.boolean().describe('True if all its runs have ended.'),
    comparable: z
      .boolean()
      .describe(
        'True if it plays the same tasks as the other cells of its environment; if false, tests and fronts omit it.',
      ),
    note: z.string().nullable().describe('The reason for leaving it out of comparisons, or its gaps.'),
    episodes: z.int(),
    scored: z.int().describe('Episodes with a reward; rates count only these.'),
    errored: z.int().describe('Episodes ended by a fault, without a reward.'),
    unscored_tasks: z
      .int()
      .describe('Tasks of which no episode has a reward. A cell with any is on no front and in no average.'),
    success_rate: estimateSchema,
    reward: estimateSchema,
    mean_model_calls: estimateSchema,
    mean_tokens: estimateSchema,
    mean_cost: estimateSchema,
    cost_per_success: z.number().nullable(),
    usage: usageSchema.describe('Total usage, errored episodes included.'),
    answer_warnings: z.array(answerWarningSchema),
    on_front: z
      .boolean()
      .describe('True if the cell is on the Pareto front of cost and success rate in its environment.'),
  })
  .meta({ id: 'LeaderboardCell' })

const testSchema = z
  .object({
    environment: z.string(),
    entry: z.string(),
    against: z.string(),
    shared_tasks: z.int().describe('Tasks on which both have an episode with a reward.'),
    success_rate: estimateSchema.describe('The first minus the second, paired by task.'),
    better: z.int().describe('Tasks with a higher share of successes than the other’s.'),
    worse: z.int(),
    p_value: z
      .number()
      .nullable()
      .describe(
        'The p-value of the exact two-sided sign test; null if they differ on no task, or share none.',
      ),
    adjusted_p: z
      .number()
      .nullable()
      .describe('`p_value` with Holm’s correction for all tests of this leaderboard.'),
  })
  .meta({ id: 'LeaderboardTest' })

const abilitiesSchema = z
  .object({
    environments: z.array(z.string()).describe('AgentBoard’s environments that the runs played.'),
    missing: z
      .int()
      .describe('Number of AgentBoard’s nine environments not played; its own radar needs all.'),
    scores: z.array(
      z.object({
        entry: z.string(),
        abilities: z
          .record(abilitySchema, z.number().min(0).max(100))
          .nullable()
          .describe(
            'Null if an environment has no comparable cell of the entry with a reward for every task.',
          ),
      }),
    ),
  })
  .meta({ id: 'LeaderboardAbilities' })

export const leaderboardSchema = z
  .object({
    object: z.literal('leaderboard'),
    simulated: z
      .boolean()
      .describe('Some numbers come from the simulated model: they prove plumbing, not quality.'),
    selection: leaderboardRequestSchema,
    entries: z
      .array(entrySchema)
      .describe('Sorted by average, then by the first success rate over all tasks of an environment.'),
    environments: z.array(environmentSchema),
    cells: z.array(cellSchema),
    tests: z.array(testSchema),
    abilities: abilitiesSchema
      .exactOptional()
      .describe(
        'AgentBoard’s radar: success rates as percentages, weighted by ability over its environments. Absent: none of them was played.',
      ),
  })
  .meta({ id: 'Leaderboard' })

export type Leaderboard = z.infer<typeof leaderboardSchema>
export type LeaderboardCell = Leaderboard['cells'][number]
export type LeaderboardEntry = Leaderboard['entries'][number]
export type LeaderboardTest = Leaderboard['tests'][number]
