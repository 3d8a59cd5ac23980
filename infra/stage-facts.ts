import { z } from 'zod'

const addressesSchema = z.object({
  episodes: z.url(),
  alone: z.url(),
  datasets: z.url(),
  /** Absent from stages of versions that had none. */
  jobs: z.url().optional(),
  /** Of the episodes of long-lived workers; absent from stages without any, and never among the dead letters. */
  lasting: z.url().optional(),
})

/** Where everything of a stage is: the JSON of the SSM parameter `/espalier/{stage}/settings`. */
export const stageFactsSchema = z.object({
  stage: z.string(),
  region: z.string(),
  api: z.url(),
  /** Absent from stages of versions that had none. */
  dashboard: z.url().optional(),
  table: z.string(),
  bucket: z.string(),
  queues: addressesSchema,
  dead_letters: addressesSchema,
})

export type StageFacts = z.infer<typeof stageFactsSchema>

/** Where the settings stand with which a stage was deployed: a JSON object of texts. */
export function stageOptionsParameter(stage: string): string {
  return `/espalier/${stage}/options`
}

export function stageFactsParameter(stage: string): string {
  return `/espalier/${stage}/settings`
}
