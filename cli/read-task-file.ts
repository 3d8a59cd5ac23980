import { EspalierError } from '../shared/core/contracts/errors.ts'
import { readEtoTaskFile } from '../shared/environments/scienceworld/read-eto-task-file.ts'
import { wrongUsage } from './command-error.ts'

/**
 * Reads a file's task ids in order: a JSON array of ids. For ScienceWorld also ETO's pairs of a task and a variation
 * (Song et al. 2024). For WebShop also the numbers of goals from the index lists of ETO and AgentGym.
 * @param path for errors
 * @throws EspalierError `invalid_request` for any other content
 */
export function readTaskFile(path: string, content: string, environment: string): string[] {
  const entries = parse(path, content)
  if (!Array.isArray(entries) || entries.length === 0) {
    throw wrongUsage(`${path} must hold a JSON array of tasks, and at least one.`)
  }
  if (entries.every((entry) => typeof entry === 'string')) return entries
  if (environment.startsWith('scienceworld')) return readPairs(path, content)
  if (environment === 'webshop' && entries.every((entry) => Number.isInteger(entry) && entry >= 0)) {
    return entries.map((number) => `webshop-${number}`)
  }
  throw wrongUsage(
    `${path} must list ids of tasks, such as \`espalier environments ${environment} --tasks\` shows them${environment === 'webshop' ? ', or numbers of goals' : ''}.`,
  )
}

function readPairs(path: string, content: string): string[] {
  try {
    return readEtoTaskFile(content)
  } catch (error) {
    if (EspalierError.isInstance(error)) throw wrongUsage(`${path}: ${error.message}`)
    throw error
  }
}

function parse(path: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw wrongUsage(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
