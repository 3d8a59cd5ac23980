import { z } from 'zod'

export const programLanguageSchema = z.enum(['javascript', 'python'])

/** Marks of a program's block in an answer. */
export const programFences = { javascript: 'js', python: 'python' } as const

export type ProgramLanguage = z.infer<typeof programLanguageSchema>
