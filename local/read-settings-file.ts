import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { EspalierError } from '../shared/core/contracts/errors.ts'

/**
 * Reads a file of settings in the data folder; an absent one has the defaults.
 * @throws EspalierError `invalid_request`, naming the file and the field
 */
export async function readSettingsFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return schema.parse({})
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const what =
      error instanceof z.ZodError
        ? error.issues.map((issue) => `${issue.path.join('.')}: ${messageOf(issue)}`).join('; ')
        : String(error)
    throw new EspalierError('invalid_request', `${path}: ${what}`)
  }
}

/** Records report a key by the issue within. */
function messageOf(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message
}
