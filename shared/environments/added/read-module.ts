import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { EspalierError } from '../../core/contracts/errors.ts'
import { resolveOwnPackage } from '../../core/programs/own-package.ts'
import type { Environment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'

const way =
  'Export an object with id, description, tasks(), describe() and open(), as examples/guess-number.ts does: docs/own-environments.md.'

/**
 * Reads the environments that a module exports under any names: definitions, and environments themselves. Its code
 * runs with all rights of this process, so only the operator may name modules.
 * @param file an absolute path
 * @param where names it in messages. @default the path
 * @throws EspalierError `invalid_request` when it cannot be loaded, or exports none
 */
export async function readModule(file: string, where: string = file): Promise<EnvironmentDefinition[]> {
  const exported = await importModule(file, where)
  const found = new Map<string, EnvironmentDefinition>()
  for (const value of Object.values(exported)) {
    const definition = toDefinition(value)
    if (definition !== null) found.set(definition.id, definition)
  }
  if (found.size > 0) return [...found.values()]
  throw invalid(`${where} exports no environment.${describeExports(exported)} ${way}`)
}

function describeExports(exported: Record<string, unknown>): string {
  const objects = Object.entries(exported).filter(
    (entry): entry is [string, object] => typeof entry[1] === 'object' && entry[1] !== null,
  )
  const method = objects.find(([, value]) => 'play' in value)
  if (method !== undefined) return ` Its export "${method[0]}" is a method: name the file as one.`
  const [nearest] = objects.filter(([, value]) => 'id' in value || 'tasks' in value || 'open' in value)
  if (nearest !== undefined) {
    const [name, value] = nearest
    const lacks = ['id', 'tasks', 'describe', 'open'].filter((field) => !(field in value))
    return ` Its export "${name}" lacks ${lacks.join(', ')}.`
  }
  const names = Object.keys(exported)
  return names.length === 0 ? ' It exports nothing.' : ` It exports ${names.slice(0, 8).join(', ')}.`
}

/**
 * Imports a user's module. It may import `espalier/method` and similar entries from any folder.
 * @param file an absolute path
 * @param where names it in messages. @default the path
 * @throws EspalierError `invalid_request` when it cannot be loaded
 */
export async function importModule(file: string, where: string = file): Promise<Record<string, unknown>> {
  const found = await stat(file).catch(() => null)
  if (found === null) throw invalid(`${where} cannot be loaded: there is no such file.`)
  if (found.isDirectory()) {
    throw invalid(`${where} cannot be loaded: it is a folder. Name the file in it.`)
  }
  resolveOwnPackage()
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw invalid(`${where} cannot be loaded: ${reason}`, cause)
  }
}

function invalid(message: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', message, cause === undefined ? {} : { cause })
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
