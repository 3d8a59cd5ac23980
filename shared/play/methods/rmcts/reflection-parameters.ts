import { z } from 'zod'

const leastRelevance = z
  .number()
  .min(-3)
  .max(1)
  .default(0.25)
  .describe(
    'How relevant a reflection has to be to a situation to be shown. With the role `embedding` 2 · cosine − 1 of the vectors, as in ExACT, so that 0.25, 0.5 and 0.7 are cosines of 0.625, 0.75 and 0.85; without it the cosine of the words, from 0 to 1.',
  )

export const reflectionParameters = {
  reflect_policy: z.boolean().default(true).describe('Whether the policy learns from what surprised it.'),
  policy_surprise: z
    .enum(['unexpected', 'unexpected_and_absq'])
    .default('unexpected')
    .describe(
      'How surprising an action was: |V_next − Q|, or |V_next − Q| + |Q|, which also picks what much was expected of.',
    ),
  policy_threshold: z
    .number()
    .min(0)
    .max(3)
    .default(0.1)
    .describe('The least surprise that is reflected on.'),
  policy_notes: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Reflections for the policy on one task, at most.'),
  policy_recall: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Reflections shown to the policy at a node, at most.'),
  policy_likeness: leastRelevance,
  reflect_value: z
    .boolean()
    .default(true)
    .describe(
      'Whether the value function learns from what surprised it: a debate, or a judge with a rubric.',
    ),
  value_threshold: z.number().min(0).max(2).default(0.5).describe('The least surprise that is reflected on.'),
  value_notes: z
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Reflections for the value function on one task, at most.'),
  value_recall: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('Reflections shown to the value function, at most.'),
  value_likeness: leastRelevance,
  success: z
    .enum(['estimated', 'environment'])
    .default('estimated')
    .describe(
      'Whether a task counts as solved by the mean of what its actions were expected to be worth, above 0.7, or by the environment.',
    ),
  memory: z
    .enum(['rounds', 'live'])
    .default('rounds')
    .describe(
      'An episode knows what earlier rounds learned; or, live, whatever is there when it looks, which no other run will repeat.',
    ),
  round_size: z
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe('Episodes of a round, played side by side. 1 is the paper’s way: one task after the other.'),
  memory_from: z.string().optional().describe('The memory of an earlier run, to begin with.'),
}
