import { z } from 'zod'
import { answerCountsSchema, answerWarningSchema } from './answers.ts'
import { boundedUsageSchema } from './bounded-usage.ts'
import { endpointWarningSchema } from './endpoint-warning.ts'
import { scoreNameSchema } from './judgement.ts'
import { passportDifferencesSchema } from './passport.ts'
import { provenanceSchema } from './provenance.ts'
import { episodeCountsSchema } from './run.ts'
import { runShapeSchema } from './run-shape.ts'
import { usageSchema } from './usage.ts'

/**
 * An estimate with its 95 % interval. `method` names the computation of the interval; the bounds are null below two
 * tasks.
 */
export const estimateSchema = z
  .object({
    mean: z.number().nullable(),
    stderr: z.number().nullable(),
    ci: z
      .object({ lower: z.number(), upper: z.number(), level: z.literal(0.95), method: z.string() })
      .nullable(),
    count: z.int().describe('Number of episodes in the mean; for pass@k and differences, number of tasks.'),
    tasks: z.int().describe('Tasks they belong to; the interval treats episodes of one task as one cluster.'),
  })
  .meta({ id: 'Estimate' })

export type Estimate = z.infer<typeof estimateSchema>

export const intervalKindSchema = z
  .enum(['t', 'bootstrap'])
  .describe(
    'Method for intervals: Student’s t (Wilson’s score for rates), or a bootstrap that draws the tasks again 10,000 times.',
  )

export type IntervalKind = z.infer<typeof intervalKindSchema>

const figuresShape = {
  success_rate: estimateSchema,
  reward: estimateSchema,
  progress_rate: estimateSchema.describe(
    'Share of the goal that the answers reached (AgentBoard, section 3.1).',
  ),
  grounding_accuracy: estimateSchema.describe(
    'The share of actions that were understood and possible, by episode (AgentBoard, section 3.2).',
  ),
  draws: z
    .array(
      z.object({
        k: z.int(),
        pass_at_k: estimateSchema.describe(
          'Probability that at least one of k episodes at a task succeeds (Chen et al. 2021).',
        ),
        pass_hat_k: estimateSchema.describe('Probability that all k succeed: pass^k (Yao et al. 2024).'),
        best_of_k: estimateSchema.describe('The best reward of k episodes at a task (ETO’s Best-of-N).'),
      }),
    )
    .describe('For k = 1, 2, 4, 8 and so on, up to the fewest scored episodes of a task that has any.'),
  invalid_actions: z
    .object({
      count: z.int(),
      share: estimateSchema.describe('Share of all actions taken; its `count` is the number of actions.'),
    })
    .describe('Actions that were not understood or not possible, in whole trees.'),
  mean_steps: z.number().nullable().describe('Mean per episode, as every `mean_…` here.'),
  mean_path_length: z
    .number()
    .nullable()
    .describe('Actions of the agent on the path that gave the reward; a learned action is one.'),
  mean_primitive_steps: z
    .number()
    .nullable()
    .describe('Environment steps on that path, those inside learned actions counted one by one.'),
  mean_nodes: z.number().nullable(),
  mean_model_calls: z.number().nullable(),
  mean_tokens: z.number().nullable(),
  mean_cached_tokens: z.number().nullable().describe('Input tokens that the endpoint had in its cache.'),
  mean_reasoning_tokens: z
    .number()
    .nullable()
    .describe('Output tokens spent on reasoning that the answers do not show.'),
  mean_cost: z.number().nullable(),
  mean_working_seconds: z.number().nullable().describe('Working time, without queueing and downtime.'),
}

const groupSchema = z
  .object({
    name: z.string(),
    tasks: z.int(),
    episodes: z.int(),
    ...figuresShape,
  })
  .meta({ id: 'TaskGroupReport' })

export type GroupReport = z.infer<typeof groupSchema>

export type Figures = Omit<GroupReport, 'name' | 'tasks' | 'episodes'>

export const taskReportSchema = z.object({
  task: z.string(),
  type: z.string().nullable().describe('Null if `by_type` is null, and for a task that no longer exists.'),
  episodes: z.int(),
  scored: z.int(),
  successes: z.int(),
  mean_reward: z.number().nullable(),
  mean_steps: z.number().nullable().describe('Mean per episode, over episodes that reached an end.'),
  mean_tokens: z.number().nullable(),
  mean_cost: z.number().nullable(),
  steps: z.number().describe('The total of all its ended episodes, errors included.'),
  tokens: z.int().describe('The total, as `steps`.'),
  cost: z.number().nullable().describe('The total, as `steps`.'),
})

const scoreCountsShape = {
  episodes: z.int().describe('Episodes that reached an end; those with an error do not count.'),
  scored: z.int().describe('Of these, the episodes with a value.'),
  missing: z.int().describe('Episodes without a judgement.'),
  errors: z.int().describe('Episodes whose scorer failed; no mean includes them.'),
  outdated: z
    .int()
    .describe(
      'Episodes judged only before their present end, or only by another version than the scorer or judge that judged last; no mean includes them.',
    ),
}

export const scoreFiguresSchema = z
  .object({
    name: scoreNameSchema,
    kind: z.enum(['person', 'scorer']),
    value: estimateSchema.describe(
      'The mean over episodes; if several people judged an episode, their mean counts.',
    ),
    ...scoreCountsShape,
  })
  .meta({ id: 'ScoreFigures' })

export type ScoreFigures = z.infer<typeof scoreFiguresSchema>

/** A run's report. Episodes that ended with an error are listed, and never counted in a mean. */
export const reportSchema = z
  .object({
    object: z.literal('report'),
    run: z.string(),
    simulated: z
      .boolean()
      .describe('The numbers come from the simulated model: they prove plumbing, not quality.'),
    provenance: provenanceSchema.describe('The data behind the numbers.'),
    episodes: episodeCountsSchema,
    learning_episodes: z
      .int()
      .describe('Episodes that learned for the others; means and tasks exclude them.'),
    ...figuresShape,
    by_type: z
      .array(groupSchema)
      .nullable()
      .describe(
        'By the environment’s types of task; null if the service can no longer open the environment over its data.',
      ),
    by_difficulty: z
      .array(groupSchema)
      .nullable()
      .describe(
        'By the minimum number of steps to a solution, if known, in bands that double; null if `by_type` is null.',
      ),
    by_level: z
      .array(groupSchema)
      .exactOptional()
      .describe(
        'By the benchmark’s own difficulty labels, such as AgentBoard’s easy and hard. Tasks without a label are in no group; absent: no task has one.',
      ),
    unparsable: z
      .int()
      .describe('Unreadable answers of judges and similar roles, which were requested again.'),
    answers: answerCountsSchema
      .nullable()
      .describe(
        'All answers of models, counted by fault, over all ended episodes that counted them; null if none did.',
      ),
    answer_warnings: z.array(answerWarningSchema),
    warnings: z
      .array(endpointWarningSchema)
      .exactOptional()
      .describe('Signs that an endpoint is set up wrong; left out if there are none.'),
    usage: usageSchema,
    cache_hit_rate: z
      .number()
      .min(0)
      .max(1)
      .exactOptional()
      .describe(
        'Share of the input tokens in `usage` that the endpoint had in its cache; absent if it reported none.',
      ),
    lost_calls: z.int(),
    bounds: boundedUsageSchema
      .exactOptional()
      .describe(
        'The calls in `usage` that count at their upper bound, because their answer was lost and no log of the endpoint has their usage. Absent if there are none.',
      ),
    errors: z.array(
      z.object({ episode: z.string(), task: z.string(), name: z.string(), message: z.string() }),
    ),
    limits: z.record(z.string(), z.int()).describe('Number of episodes that each limit ended.'),
    tasks: z.array(taskReportSchema),
    shape: runShapeSchema
      .exactOptional()
      .describe('Histograms, reasons of ends, and rewards by task and epoch.'),
    scores: z
      .array(scoreFiguresSchema)
      .exactOptional()
      .describe(
        'Judgements of people and scorers beside the reward, by the names of the scores; absent: none.',
      ),
  })
  .meta({ id: 'Report' })

export type Report = z.infer<typeof reportSchema>

export const successQuerySchema = z.object({
  runs: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().min(1)).min(1).max(100))
    .describe('Ids of runs, separated by commas.'),
})

export const successRatesSchema = z
  .object({
    object: z.literal('success_rates'),
    rates: z.array(
      z.object({
        run: z.string(),
        provenance: provenanceSchema,
        success_rate: estimateSchema,
        of: z
          .enum(['counts', 'episodes', 'share'])
          .describe(
            '`counts`: computed from the run’s counters, as its report would. `episodes`: its episodes were read, because each task was played more than once. `share`: they are too many for that, so there is no interval; its report has it.',
          ),
      }),
    ),
  })
  .meta({ id: 'SuccessRates' })

export type SuccessRates = z.infer<typeof successRatesSchema>

export const compareRequestSchema = z
  .strictObject({
    runs: z.array(z.string()).min(2).max(20).describe('The first is the baseline.'),
    interval: intervalKindSchema.default('t'),
  })
  .meta({ id: 'CompareRequest' })

const settingSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const comparisonSchema = z
  .object({
    object: z.literal('comparison'),
    simulated: z.boolean(),
    passport_differences: passportDifferencesSchema.describe(
      'Fields of the passports that differ. Empty: the runs may be ranked together.',
    ),
    shared_tasks: z.int(),
    settings: z
      .array(
        z.object({
          field: z.string().describe('Field of the request, such as `method.iterations`.'),
          values: z
            .array(settingSchema)
            .describe('One value for each run, in the order of the runs; null if the request has none.'),
        }),
      )
      .describe('Differences between the requests, except names and labels.'),
    warnings: z
      .array(
        z.object({
          term: z.enum([
            'horizon',
            'temperature',
            'actions',
            'answer_limit',
            'prompt_budget',
            'sampling',
            'stop',
            'split',
            'environment',
            'prompts',
            'episode_limits',
          ]),
          field: z.string(),
          values: z.array(settingSchema).describe('One value for each run, in the order of the runs.'),
          message: z.string(),
        }),
      )
      .describe(
        'Settings in which the runs differ: a difference in results may come from them, and not from the method or the model.',
      ),
    runs: z.array(
      z.object({
        run: z.string(),
        name: z.string().nullable(),
        method: z.string(),
        model: z.string(),
        provenance: provenanceSchema,
        success_rate: estimateSchema,
        reward: estimateSchema,
        answer_warnings: z
          .array(answerWarningSchema)
          .describe('Warnings about the answers of the whole run, other tasks included.'),
        usage: usageSchema.describe('Totals of the shared tasks, errors included.'),
        learning: usageSchema.describe(
          'Usage of its learning episodes. They play none of the shared tasks, so no other figure includes it.',
        ),
        mean_steps: z.number().nullable().describe('Environment steps of an episode.'),
        mean_path_length: z
          .number()
          .nullable()
          .describe('Actions of the agent on the path of an episode’s answer.'),
        mean_model_calls: estimateSchema.describe('Calls of an episode.'),
        mean_tokens: estimateSchema.describe('Tokens of an episode, input and output.'),
        mean_cost: estimateSchema.describe('US dollars of an episode; without a mean if prices are missing.'),
        cost_per_success: z
          .number()
          .nullable()
          .describe('Cost of the shared tasks, divided by the number of successful episodes.'),
        on_front: z
          .boolean()
          .describe('True if the run is on the Pareto front of cost and success rate among these runs.'),
        difference: z
          .object({
            success_rate: estimateSchema,
            reward: estimateSchema,
            mean_model_calls: estimateSchema,
            mean_tokens: estimateSchema,
            mean_cost: estimateSchema,
            won: z.int(),
            lost: z.int(),
            tied: z.int(),
            won_tasks: z.array(z.string()).describe('The first hundred.'),
            lost_tasks: z.array(z.string()).describe('The first hundred.'),
            sign_test: z
              .object({
                better: z.int().describe('Tasks with a higher share of successes than the baseline’s.'),
                worse: z.int(),
                p_value: z.number().nullable(),
              })
              .describe('Exact and two-sided; with one episode a task, McNemar’s test.'),
          })
          .nullable()
          .describe('This run minus the baseline, paired by task; null for the baseline.'),
      }),
    ),
  })
  .meta({ id: 'Comparison' })

export type Comparison = z.infer<typeof comparisonSchema>
export type ComparedRun = Comparison['runs'][number]
