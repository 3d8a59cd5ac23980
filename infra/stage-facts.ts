import { z } from 'zod'

const addressesSchema = z.object({
  episodes: z.url(),
  alone: z.url(),
  datasets: z.url(),
  jobs: z.url().optional(),
  /** For long-lived workers. Absent from stages without any, and never among the dead letters. */
  lasting: z.url().optional(),
})

/** The addresses of a stage: the JSON of the SSM parameter `/espalier/{stage}/settings`. */
export const stageFactsSchema = z.object({
  stage: z.string(),
  region: z.string(),
  api: z.url(),
  dashboard: z.url().optional(),
  table: z.string(),
  bucket: z.string(),
  queues: addressesSchema,
  dead_letters: addressesSchema,
})

export type StageFacts = z.infer<typeof stageFactsSchema>

/** The JSON of the SSM parameter `/espalier/{stage}/data`, which the stack of the data writes. */
export const stageDataSchema = stageFactsSchema.pick({ bucket: true, table: true })

export type StageData = z.infer<typeof stageDataSchema>

export const imageBuildsSchema = z.object({ project: z.string(), repository: z.string() })

export type ImageBuilds = z.infer<typeof imageBuildsSchema>

export function stackOf(stage: string): string {
  return `espalier-${stage}`
}

export function dataStackOf(stage: string): string {
  return `${stackOf(stage)}-data`
}

export function imagesStackOf(stage: string): string {
  return `${stackOf(stage)}-images`
}

export function stageImagesParameter(stage: string): string {
  return `/espalier/${stage}/images`
}

export function stageDataParameter(stage: string): string {
  return `/espalier/${stage}/data`
}

export function stageOptionsParameter(stage: string): string {
  return `/espalier/${stage}/options`
}

export function stageFactsParameter(stage: string): string {
  return `/espalier/${stage}/settings`
}
