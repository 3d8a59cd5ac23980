import { z } from 'zod'
import { provenanceSchema } from '../../contracts/provenance.ts'

/** A run or an import that a dataset is built from, in the order of the request. */
export const planSourceSchema = z.object({
  id: z.string(),
  sort: z.enum(['run', 'import']),
  /** Whether its attempts are an expert's. */
  expert: z.boolean(),
  /** What all its attempts have in common, as every run's have; null where they may differ. */
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
  /** How many of its episodes, or imported lines, are attempts. */
  attempts: z.int(),
})

export type PlanSource = z.infer<typeof planSourceSchema>

/** What is known of the whole before a tree is read: `plan.json`. */
export const planSchema = z.object({
  sources: z.array(planSourceSchema),
  /** How many attempts there are, those of experts left out. */
  attempts: z.int(),
  tasks: z.int(),
  parts: z.int(),
  left_out: z.record(z.string(), z.int()),
  warnings: z.array(z.string()),
})

export type Plan = z.infer<typeof planSchema>

/** An attempt as it stood when the dataset was planned. */
export const plannedAttemptSchema = z.object({
  source: z.int().describe('Its place among the plan’s sources.'),
  episode: z.string(),
  attempt: z.int(),
  status: z.enum(['succeeded', 'failed', 'limited']),
  reward: z.number().nullable(),
  success: z.boolean(),
  ended: z.string().nullable(),
  /** The scores that the request asks for. */
  scores: z.record(z.string(), z.number()).exactOptional(),
  /** Of its judged steps, where the kind asks for them. */
  steps: z.record(z.string(), z.number()).exactOptional(),
  /** Of what was imported, where its source does not say it for all. */
  own: z.object({ part: z.int(), method: z.string(), model: z.string(), seed: z.int() }).optional(),
})

export type PlannedAttempt = z.infer<typeof plannedAttemptSchema>

/** The attempts at one task, over all sources. */
export const plannedTaskSchema = z.object({
  environment: z.string(),
  data: z.string().nullable(),
  task: z.string(),
  task_split: z.string().nullable(),
  /** The place of the first of its attempts among all: they follow one another. */
  position: z.int(),
  attempts: z.array(plannedAttemptSchema),
  experts: z.array(plannedAttemptSchema),
})

export type PlannedTask = z.infer<typeof plannedTaskSchema>

export const planPartSchema = z.object({ tasks: z.array(plannedTaskSchema) })

/** Names a task so that no other environment's or data pack's is the same. */
export function taskKey({
  environment,
  data,
  task,
}: Pick<PlannedTask, 'environment' | 'data' | 'task'>): string {
  return JSON.stringify([environment, data, task])
}
