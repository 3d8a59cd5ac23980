import { z } from 'zod'

export const programLanguageSchema = z.enum(['javascript', 'python'])

export const programFences = { javascript: 'js', python: 'python' } as const

export type ProgramLanguage = z.infer<typeof programLanguageSchema>
