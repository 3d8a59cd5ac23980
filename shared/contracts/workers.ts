import { z } from 'zod'

/**
 * What plays a run's episodes in a deployment: invocations of Lambda, billed for their time, or long-lived workers on Fargate,
 * each with hundreds of episodes in flight.
 */
export const workerKindSchema = z.enum(['lambda', 'fargate'])

export type WorkerKind = z.infer<typeof workerKindSchema>

/** What a run or a stage asks for; `auto`: as fast as its model answers. */
export const workerChoiceSchema = z.enum(['auto', ...workerKindSchema.options])

export type WorkerChoice = z.infer<typeof workerChoiceSchema>
