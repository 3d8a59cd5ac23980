import { z } from 'zod'

export const taskLevelSchema = z.enum(['easy', 'hard'])

export type TaskLevel = z.infer<typeof taskLevelSchema>
