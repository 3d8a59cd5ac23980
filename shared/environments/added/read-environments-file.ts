import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import { type AddedEnvironment, environmentsFileSchema } from './environments-file.ts'

/**
 * Reads `environments.json`. Returns no entries if the file does not exist.
 * @param known ids already taken
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function readEnvironmentsFile(
  path: string,
  known: readonly string[],
): Promise<Map<string, AddedEnvironment>> {
  const content = await readSettingsFile(path, environmentsFileSchema)
  const added = new Map(Object.entries(content?.environments ?? {}))
  const taken = [...added.keys()].find((id) => known.includes(id))
  if (taken === undefined) return added
  throw invalid(
    `${path}: "${taken}" is the name of an environment that comes with Espalier. Choose another.`,
    `environments.${taken}`,
  )
}

/**
 * Reads a JSON file written by an administrator, such as `environments.json`. Returns null if it does not exist.
 * @throws EspalierError `invalid_request`, naming the field; `storage_failed` if it cannot be read
 */
export async function readSettingsFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await readIfPresent(path)
  if (text === null) return null
  const value = parseJson(text, path)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { message, param } = describeInvalid(parsed.error, { part: 'json', schema, value })
  throw invalid(`${path}: ${message.replace(/^The body /, 'The file ')}`, param)
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    const reason = error instanceof Error ? error.message : String(error)
    throw new EspalierError('storage_failed', `${path} cannot be read: ${reason}`, { cause: error })
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid(`${path} is not JSON: ${error.message}`, null)
  }
}

function invalid(message: string, param: string | null): EspalierError {
  return new EspalierError('invalid_request', message, param === null ? {} : { param })
}
