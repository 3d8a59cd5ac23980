import { z } from 'zod'

export const workerKindSchema = z.enum(['lambda', 'fargate'])

export type WorkerKind = z.infer<typeof workerKindSchema>

export const workerChoiceSchema = z.enum(['auto', ...workerKindSchema.options])

export type WorkerChoice = z.infer<typeof workerChoiceSchema>
