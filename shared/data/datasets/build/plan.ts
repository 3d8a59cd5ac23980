import { z } from 'zod'
import { provenanceSchema } from '../../../core/contracts/provenance.ts'

export const planSourceSchema = z.object({
  id: z.string(),
  sort: z.enum(['run', 'import']),
  expert: z.boolean(),
  /** The common properties of all its attempts, as every run has; null if they may differ. */
  common: z
    .object({
      environment: z.string(),
      data: z.string().nullable(),
      method: z.string(),
      model: z.string(),
      seed: z.int(),
      max_pictures: z.int().exactOptional(),
      /** Absent in plans of earlier versions. */
      provenance: provenanceSchema.optional(),
    })
    .nullable(),
  attempts: z.int(),
})

export type PlanSource = z.infer<typeof planSourceSchema>

export const planSchema = z.object({
  sources: z.array(planSourceSchema),
  attempts: z.int(),
  tasks: z.int(),
  parts: z.int(),
  left_out: z.record(z.string(), z.int()),
  warnings: z.array(z.string()),
})

export type Plan = z.infer<typeof planSchema>

export const plannedAttemptSchema = z.object({
  source: z.int().describe('Its place among the plan’s sources.'),
  episode: z.string(),
  attempt: z.int(),
  status: z.enum(['succeeded', 'failed', 'limited']),
  reward: z.number().nullable(),
  success: z.boolean(),
  ended: z.string().nullable(),
  scores: z.record(z.string(), z.number()).exactOptional(),
  steps: z.record(z.string(), z.number()).exactOptional(),
  /** For imports, if the source has no common values. */
  own: z.object({ part: z.int(), method: z.string(), model: z.string(), seed: z.int() }).optional(),
})

export type PlannedAttempt = z.infer<typeof plannedAttemptSchema>

export const plannedTaskSchema = z.object({
  environment: z.string(),
  data: z.string().nullable(),
  task: z.string(),
  task_split: z.string().nullable(),
  /** The index of its first attempt among all: its attempts are consecutive. */
  position: z.int(),
  attempts: z.array(plannedAttemptSchema),
  experts: z.array(plannedAttemptSchema),
})

export type PlannedTask = z.infer<typeof plannedTaskSchema>

export const planPartSchema = z.object({ tasks: z.array(plannedTaskSchema) })

export function taskKey({
  environment,
  data,
  task,
}: Pick<PlannedTask, 'environment' | 'data' | 'task'>): string {
  return JSON.stringify([environment, data, task])
}
