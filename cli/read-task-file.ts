import { EspalierError } from '../shared/core/contracts/errors.ts'
import { wrongUsage } from './command-error.ts'

/**
 * Reads a file's task ids in order: a JSON array of ids, or of the entries of papers' task files that the environment's
 * definition reads.
 * @param path for errors
 * @throws EspalierError `invalid_request` for any other content
 */
export async function readTaskFile(path: string, content: string, environment: string): Promise<string[]> {
  const entries = parse(path, content)
  if (!Array.isArray(entries) || entries.length === 0) {
    throw wrongUsage(`${path} must hold a JSON array of tasks, and at least one.`)
  }
  if (entries.every((entry) => typeof entry === 'string')) return entries
  const { definitions } = await import('../shared/environments/environments.ts')
  const taskFile = definitions.find(({ id }) => id === environment)?.taskFile
  const ids = await taskFile?.read(entries).catch((error: unknown) => {
    throw EspalierError.isInstance(error) ? wrongUsage(`${path}: ${error.message}`) : error
  })
  if (ids) return ids
  throw wrongUsage(
    `${path} must list ids of tasks, such as \`espalier environments ${environment} --tasks\` shows them${taskFile ? `, or ${taskFile.entries}` : ''}.`,
  )
}

function parse(path: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw wrongUsage(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
