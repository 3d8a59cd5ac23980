import { z } from 'zod'

/**
 * Fields we read from a fine-tuning API. Services omit some of OpenAI's and add others. Source:
 * https://developers.openai.com/api/reference/resources/fine_tuning.
 */
const numberOrNull = z.number().nullish().default(null)

/**
 * `validating_files`, `queued`, `running`, `paused`, `succeeded`, `failed`, `cancelled`; services add others in
 * between.
 */
export const fineTuningJobSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  created_at: z.number(),
  finished_at: numberOrNull,
  estimated_finish: numberOrNull,
  training_file: z.string(),
  fine_tuned_model: z.string().nullish().default(null),
  trained_tokens: numberOrNull,
  result_files: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

export type FineTuningJob = z.infer<typeof fineTuningJobSchema>

export const fineTuningEventSchema = z.object({
  id: z.string().min(1),
  created_at: z.number(),
  message: z.string().default(''),
  data: z.record(z.string(), z.unknown()).nullish(),
})

export type FineTuningEvent = z.infer<typeof fineTuningEventSchema>

export const fineTuningCheckpointSchema = z.object({
  fine_tuned_model_checkpoint: z.string().min(1),
  step_number: z.int(),
})

export const trainingFileSchema = z.object({
  id: z.string().min(1),
  filename: z.string(),
  bytes: z.number().nullish(),
  created_at: z.number(),
  status: z.string().nullish(),
})

export type UploadedFile = z.infer<typeof trainingFileSchema>

export const jobMarks = { training: 'espalier_training', start: 'espalier_start' } as const

export function hasJobEnded({ status }: Pick<FineTuningJob, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}
