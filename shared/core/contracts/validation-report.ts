import { z } from 'zod'

export const validationCheckSchema = z.object({
  id: z.string(),
  description: z.string().describe('What must hold.'),
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Why it failed or was skipped.'),
  at: z
    .object({
      task: z.string(),
      step: z.int().nonnegative().nullable().describe('How many steps were taken before; null: the reset.'),
      action: z.string().nullable(),
    })
    .nullable()
    .describe('Where it failed first.'),
  expected: z.string().nullable(),
  came: z.string().nullable(),
})

export type ValidationCheck = z.infer<typeof validationCheckSchema>

export const validationReportSchema = z.object({
  object: z.literal('validation'),
  environment: z.string(),
  ok: z.boolean().describe('Whether no check failed.'),
  seed: z.int(),
  tasks: z.array(z.string()).describe('The tasks that were played.'),
  steps: z.int().nonnegative().describe('How many steps were taken in all.'),
  checks: z.array(validationCheckSchema),
})

export type ValidationReport = z.infer<typeof validationReportSchema>
