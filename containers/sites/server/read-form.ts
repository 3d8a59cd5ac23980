import type { z } from 'zod'
import type { Visit } from './site.ts'

export type FormResult<Values> =
  | { readonly given: Record<string, string | undefined>; readonly values: Values; readonly problems?: never }
  | {
      readonly given: Record<string, string | undefined>
      readonly values?: never
      readonly problems: Record<string, string>
    }

export async function readForm<Values>(visit: Visit, schema: z.ZodType<Values>): Promise<FormResult<Values>> {
  const body = await visit.req.parseBody()
  const given = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const result = schema.safeParse(given)
  if (result.success) return { given, values: result.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of result.error.issues) {
    problems[String(path[0] ?? 'form')] ??= message
  }
  return { given, problems }
}
