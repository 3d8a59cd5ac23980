import { z } from 'zod'

export const validationCheckSchema = z.object({
  id: z.string(),
  description: z.string().describe('The rule that is checked.'),
  status: z.enum(['passed', 'failed', 'skipped']),
  reason: z.string().nullable().describe('Reason for the failure or skip.'),
  at: z
    .object({
      task: z.string(),
      step: z
        .int()
        .nonnegative()
        .nullable()
        .describe('Number of steps before the failure; null: it failed at the reset.'),
      action: z.string().nullable(),
    })
    .nullable()
    .describe('Position of the first failure.'),
  expected: z.string().nullable(),
  came: z.string().nullable(),
})

export type ValidationCheck = z.infer<typeof validationCheckSchema>

export const validationReportSchema = z.object({
  object: z.literal('validation'),
  environment: z.string(),
  ok: z.boolean().describe('True if no check failed.'),
  seed: z.int(),
  tasks: z.array(z.string()).describe('The tasks that were played.'),
  steps: z.int().nonnegative().describe('Total number of steps taken.'),
  checks: z.array(validationCheckSchema),
})

export type ValidationReport = z.infer<typeof validationReportSchema>
