import { z } from 'zod'

const leastRelevance = z
  .number()
  .min(-3)
  .max(1)
  .default(0.25)
  .describe(
    'Minimum relevance of a reflection to a situation to be shown. With the role `embedding`, 2 · cosine − 1 of the vectors, as in ExACT, so that 0.25, 0.5 and 0.7 are cosines of 0.625, 0.75 and 0.85; without it, the cosine of the words, from 0 to 1.',
  )

export const reflectionParameters = {
  reflect_policy: z.boolean().default(true).describe('True if the policy learns from surprising outcomes.'),
  policy_surprise: z
    .enum(['unexpected', 'unexpected_and_absq'])
    .default('unexpected')
    .describe(
      'Measure of an action’s surprise: |V_next − Q|, or |V_next − Q| + |Q|, which also picks actions with a high expected value.',
    ),
  policy_threshold: z.number().min(0).max(3).default(0.1).describe('Minimum surprise for a reflection.'),
  policy_notes: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Maximum number of reflections for the policy on one task.'),
  policy_recall: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Maximum number of reflections shown to the policy at a node.'),
  policy_likeness: leastRelevance,
  reflect_value: z
    .boolean()
    .default(true)
    .describe(
      'True if the value function learns from surprising outcomes; for a debate, or a judge with a rubric.',
    ),
  value_threshold: z.number().min(0).max(2).default(0.5).describe('Minimum surprise for a reflection.'),
  value_notes: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Maximum number of reflections for the value function on one task.'),
  value_recall: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('Maximum number of reflections shown to the value function.'),
  value_likeness: leastRelevance,
  success: z
    .enum(['estimated', 'environment'])
    .default('estimated')
    .describe(
      'Criterion for a solved task in reflections: mean expected value of its actions above 0.7, or the environment’s verdict.',
    ),
  memory: z
    .enum(['rounds', 'live'])
    .default('rounds')
    .describe(
      'Notes that an episode reads. `rounds`: those of earlier rounds. `live`: all that exist when it reads, which no other run can reproduce.',
    ),
  round_size: z
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe(
      'Number of episodes of a round, played in parallel. 1, as in the paper: one task after the other.',
    ),
  memory_from: z.string().optional().describe('Memory of an earlier run to start with.'),
}
