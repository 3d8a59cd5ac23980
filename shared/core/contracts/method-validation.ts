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
  description: z.string().describe('What must hold.'),
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Why it failed or was skipped.'),
  at: z
    .object({
      environment: z.string(),
      task: z.string().nullable(),
      effect: z.string().nullable().describe('The effect at which it failed, where it was one.'),
    })
    .nullable()
    .describe('Where it failed first.'),
  expected: z.string().nullable(),
  came: z.string().nullable(),
  mend: z.string().nullable().describe('What to do where it failed.'),
})

export type MethodLaw = z.infer<typeof methodLawSchema>

export const methodValidationSchema = z.object({
  object: z.literal('method_validation'),
  method: z.string(),
  file: z.string().nullable().describe('Where its code is; null: it comes with Espalier.'),
  digest: z.string().nullable().describe('The version of that code.'),
  ok: z.boolean().describe('Whether no law failed.'),
  seed: z.int(),
  environments: z.array(z.string()),
  episodes: z.int().describe('How many different episodes were played, each of them many times.'),
  effects: z.int().describe('How many effects their journals hold.'),
  resumed: z.int().describe('After how many of these effects an episode was cut off and taken up again.'),
  laws: z.array(methodLawSchema),
})

export type MethodValidation = z.infer<typeof methodValidationSchema>
