import { z } from 'zod'
import { runEstimateSchema } from './estimate.ts'
import { jsonObjectSchema } from './json.ts'
import { loopSplitsSchema, loopStageSchema, loopStatusSchema, roundOutcomeSchema } from './loop.ts'
import { loopRecipeIdSchema } from './loop-settings.ts'
import { estimateSchema } from './report.ts'

export const loopDifferenceSchema = z
  .object({
    tasks: z
      .int()
      .describe('Tasks on which both have an episode with a reward; 0 if the loop refused the comparison.'),
    success_rate: estimateSchema.nullable(),
    reward: estimateSchema.nullable(),
    won: z.int().describe('Tasks with a higher success rate, which `p_value` counts.'),
    lost: z.int().describe('Tasks with a lower success rate.'),
    p_value: z.number().nullable().describe('The p-value of the exact sign test over tasks won and lost.'),
    refused: z
      .string()
      .nullable()
      .describe('The reason for refusing the comparison; then there is no number.'),
    warnings: z.array(z.string()).describe('Settings in which the two evaluations differ.'),
  })
  .meta({ id: 'LoopDifference' })

export type LoopDifference = z.infer<typeof loopDifferenceSchema>

const evaluatedSchema = z.object({
  run: z.string().describe('The evaluation run.'),
  success_rate: estimateSchema
    .nullable()
    .describe('Null while the evaluation runs, and if too many episodes errored.'),
  episodes: z.int(),
  errored: z.int(),
})

export const reportedRoundSchema = z
  .object({
    round: z.int(),
    model: z.string().nullable(),
    evaluation: evaluatedSchema.nullable(),
    minus_start: loopDifferenceSchema
      .nullable()
      .describe('Difference from round 0; null for round 0 itself.'),
    outcome: roundOutcomeSchema.nullable(),
    rows: z.int().nullable().describe('Rows of the dataset that the round built.'),
    tokens: z.int().nullable(),
    loss: z.number().nullable().describe('Last training loss of the round.'),
    accuracy: z.number().nullable(),
    steps: z.int().nullable(),
    cost: z.number().nullable(),
    seconds: z.number(),
    stages: z.array(loopStageSchema.omit({ facts: true })),
  })
  .meta({ id: 'ReportedRound' })

export type ReportedRound = z.infer<typeof reportedRoundSchema>

export function reportedModel({ model, round }: Pick<ReportedRound, 'model' | 'round'>): string {
  return model ?? (round === 0 ? 'the base' : 'not trained yet')
}

export const loopLineageSchema = z
  .object({
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['model', 'training', 'dataset', 'run', 'trajectories', 'nodes']),
        label: z.string(),
        round: z.int().nullable(),
        facts: jsonObjectSchema,
      }),
    ),
    edges: z.array(z.object({ from: z.string(), to: z.string(), label: z.string() })),
  })
  .meta({ id: 'LoopLineage' })

export type LoopLineage = z.infer<typeof loopLineageSchema>

export const loopReportSchema = z
  .object({
    object: z.literal('loop_report'),
    loop: z.string(),
    name: z.string().nullable(),
    recipe: loopRecipeIdSchema,
    environment: z.string(),
    status: loopStatusSchema,
    reason: z.string().nullable(),
    metric: z.enum(['success_rate', 'reward']),
    simulated: z
      .boolean()
      .describe('Some of the numbers come from the simulated model: they prove plumbing, not quality.'),
    rounds: z.array(reportedRoundSchema),
    control: z
      .object({
        model: z.string().nullable(),
        evaluation: evaluatedSchema.nullable(),
        minus_start: loopDifferenceSchema.nullable(),
        round_minus_control: loopDifferenceSchema.nullable().describe('Round 1 minus the control.'),
        steps: z.int().nullable(),
      })
      .nullable(),
    best: z
      .object({ round: z.int(), model: z.string().nullable(), minus_start: loopDifferenceSchema.nullable() })
      .nullable(),
    usage: z.object({ cost: z.number().nullable(), seconds: z.number() }),
    splits: loopSplitsSchema.nullish(),
    lineage: loopLineageSchema,
    warnings: z.array(z.string()),
  })
  .meta({ id: 'LoopReport' })

export type LoopReport = z.infer<typeof loopReportSchema>

export const loopPlanSchema = z
  .object({
    object: z.literal('loop_plan'),
    recipe: loopRecipeIdSchema,
    tasks: z.object({ train: z.int(), dev: z.int().nullable(), test: z.int() }),
    stages: z.array(
      z.object({
        round: z.int(),
        stage: z.string(),
        kind: loopStageSchema.shape.kind,
        what: z.string(),
        episodes: z.int().nullable(),
        estimate: runEstimateSchema
          .pick({ model_calls: true, input_tokens: true, output_tokens: true, cost: true })
          .nullable()
          .describe('Expected usage of the runs; null if no known endpoint would answer.'),
      }),
    ),
    cost: z
      .object({ expected: z.number(), at_most: z.number() })
      .nullable()
      .describe('US dollars of all runs; null if one of them has no estimate or no price.'),
    missing: z.array(z.string()).describe('Missing prerequisites of the loop, such as an installed trainer.'),
    notes: z.array(z.string()).describe('Items that the figures leave out.'),
    settings: jsonObjectSchema.describe('All settings, including those of the recipe.'),
  })
  .meta({ id: 'LoopPlan' })

export type LoopPlan = z.infer<typeof loopPlanSchema>
