import { z } from 'zod'

/**
 * The workers of a run's episodes in a deployment: invocations of Lambda, billed for their time, or long-lived
 * workers on Fargate, each with hundreds of episodes in flight.
 */
export const workerKindSchema = z.enum(['lambda', 'fargate'])

export type WorkerKind = z.infer<typeof workerKindSchema>

export const workerChoiceSchema = z.enum(['auto', ...workerKindSchema.options])

export type WorkerChoice = z.infer<typeof workerChoiceSchema>
