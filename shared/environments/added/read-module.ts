import { pathToFileURL } from 'node:url'
import { EspalierError } from '../../contracts/errors.ts'
import type { Environment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'

/**
 * The environments that a module exports, under any names: definitions, and environments themselves. Its code runs with
 * all rights of this process, so only its operator names modules.
 *
 * @param file an absolute path
 * @throws EspalierError `invalid_request` when it cannot be loaded, or exports none
 */
export async function readModule(file: string): Promise<EnvironmentDefinition[]> {
  const exported = await importModule(file)
  const found = new Map<string, EnvironmentDefinition>()
  for (const value of Object.values(exported)) {
    const definition = toDefinition(value)
    if (definition !== null) found.set(definition.id, definition)
  }
  if (found.size > 0) return [...found.values()]
  throw new EspalierError(
    'invalid_request',
    `${file} exports no environment. Export an object with id, tasks(), describe() and open(), as docs/own-environments.md shows.`,
  )
}

/**
 * What a module of a user exports, by its names.
 *
 * @param file an absolute path
 * @throws EspalierError `invalid_request` when it cannot be loaded
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EspalierError('invalid_request', `${file} cannot be loaded: ${reason}`, { cause })
  }
}

function toDefinition(value: unknown): EnvironmentDefinition | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string')
    return null
  if ('tasks' in value && typeof value.tasks === 'function') {
    const environment = value as Environment
    return { id: environment.id, open: async () => environment }
  }
  return 'open' in value && typeof value.open === 'function' ? (value as EnvironmentDefinition) : null
}
