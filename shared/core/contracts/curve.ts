import { z } from 'zod'
import { provenanceSchema } from './provenance.ts'
import { estimateSchema } from './report.ts'

export const budgetKindSchema = z
  .enum(['calls', 'tokens', 'cost'])
  .describe('The unit of the budget: model calls, tokens of input and output, or US dollars.')

export type BudgetKind = z.infer<typeof budgetKindSchema>

export const curvePointSchema = z.object({
  budget: z.number().describe('Budget of one episode, in the unit of `over`.'),
  success_rate: estimateSchema,
  reward: estimateSchema,
  ended: z.number().describe('Share of episodes that end within this budget, 0 to 1.'),
})

export const curveSchema = z
  .object({
    object: z.literal('curve'),
    run: z.string(),
    name: z.string().nullable(),
    method: z.string(),
    model: z.string(),
    simulated: z.boolean(),
    provenance: provenanceSchema,
    over: budgetKindSchema,
    episodes: z
      .object({
        scored: z.int().describe('Number of episodes with a reward.'),
        read: z.int().describe('Number of their journals read: all, or a seeded sample of a large run.'),
      })
      .describe('Number of episodes behind the points.'),
    tasks: z.int(),
    points: z.array(curvePointSchema),
  })
  .meta({ id: 'Curve' })

export type Curve = z.infer<typeof curveSchema>

export const curvesRequestSchema = z
  .strictObject({
    runs: z.array(z.string()).min(1).max(20),
    over: budgetKindSchema.default('calls'),
  })
  .meta({ id: 'CurvesRequest' })

export const curvesSchema = z
  .object({
    object: z.literal('curves'),
    simulated: z.boolean(),
    over: budgetKindSchema,
    shared_tasks: z.int(),
    curves: z.array(curveSchema),
  })
  .meta({ id: 'Curves' })

export type Curves = z.infer<typeof curvesSchema>
