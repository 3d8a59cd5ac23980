import { z } from 'zod'

export const methodLawIdSchema = z.enum([
  'ends',
  'plays',
  'waits',
  'keys',
  'no-clock',
  'same-again',
  'any-order',
  'replay',
  'resume',
  'limits',
  'effort',
  'roles',
  'horizon',
  'branches',
  'extend',
])

export type MethodLawId = z.infer<typeof methodLawIdSchema>

export const methodLawSchema = z.object({
  id: methodLawIdSchema,
  description: z.string().describe('The rule that is checked.'),
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Reason for the failure or skip.'),
  at: z
    .object({
      environment: z.string(),
      task: z.string().nullable(),
      effect: z.string().nullable().describe('The effect at which it failed, if any.'),
    })
    .nullable()
    .describe('Position of the first failure.'),
  expected: z.string().nullable(),
  came: z.string().nullable(),
  mend: z.string().nullable().describe('Suggested fix for the failure.'),
})

export type MethodLaw = z.infer<typeof methodLawSchema>

export const methodValidationSchema = z.object({
  object: z.literal('method_validation'),
  method: z.string(),
  file: z.string().nullable().describe('File with its code; null: it comes with Espalier.'),
  digest: z.string().nullable().describe('The version of that code.'),
  ok: z.boolean().describe('True if no law failed.'),
  seed: z.int(),
  environments: z.array(z.string()),
  episodes: z.int().describe('Number of different episodes played, each of them many times.'),
  effects: z.int().describe('Number of effects in their journals.'),
  resumed: z.int().describe('Number of these effects after which an episode was interrupted and resumed.'),
  laws: z.array(methodLawSchema),
})

export type MethodValidation = z.infer<typeof methodValidationSchema>
