import { statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import { ApiError } from '../shared/core/client/api-error.ts'
import type { AddedEnvironment } from '../shared/environments/added/environments-file.ts'
import type { EnvironmentDefinition } from '../shared/environments/environment-definition.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export interface EnvironmentOfFile {
  id: string
  file: string
  /** The Python that plays it; null: a module of TypeScript or JavaScript. */
  python: string | null
}

export function isModuleFile(text: string): boolean {
  return /\.[cm]?[jt]s$/.test(text)
}

export function isEnvironmentFile(text: string | undefined): text is string {
  return text !== undefined && (isModuleFile(text) || text.endsWith('.py'))
}

/** @throws CommandError for a path that is no file of an environment or method: no id has a slash */
export function refusePath(named: string | undefined, kind: 'environment' | 'method'): void {
  if (named === undefined || !/[/\\]|^[.~]/.test(named)) return
  const isFolder = statSync(named, { throwIfNoEntry: false })?.isDirectory() === true
  const what = isFolder ? 'is a folder' : 'is no module or Python file'
  const example = kind === 'method' ? 'greedy' : 'mine'
  throw wrongUsage(
    `${named} ${what}. Name the file that exports the ${kind}, such as ./${example}.ts: it ends in .ts, .mts, .js, .mjs or .py (docs/${kind === 'method' ? 'add-method' : 'own-environments'}.md).`,
  )
}

/**
 * Reads the environment from a file.
 * @throws EspalierError `invalid_request` if it has none or cannot be loaded, or Python lacks the package;
 * CommandError if it has several
 */
export async function readEnvironmentFile(
  named: string,
  { ESPALIER_PYTHON: python = 'python3' }: NodeJS.ProcessEnv,
): Promise<EnvironmentOfFile> {
  const file = resolve(named)
  if (!isModuleFile(named)) {
    const { describeProgram } = await import('../shared/environments/program/describe-program.ts')
    const { environment: id } = await describeProgram(named, {
      command: commandOf({ python, file }),
      folder: dirname(file),
    })
    return { id, file, python }
  }
  const { readModule } = await import('../shared/environments/added/read-module.ts')
  const [found, ...others] = await readModule(file, named)
  if (found !== undefined && others.length === 0) return { id: found.id, file, python: null }
  const ids = [found, ...others].map((definition) => definition?.id).join(', ')
  throw wrongUsage(
    `${named} exports several environments: ${ids}. Name the file for each in environments.json of the data folder, and give --environment one of these ids.`,
  )
}

export async function definitionsOfFile(
  named: string,
  variables: NodeJS.ProcessEnv,
): Promise<EnvironmentDefinition[]> {
  const file = resolve(named)
  if (isModuleFile(named)) {
    const { loadModule } = await import('../shared/environments/added/load-module.ts')
    return loadModule(file, {}, named)
  }
  const { programDefinition } = await import('../shared/environments/program/definition.ts')
  const { id, python } = await readEnvironmentFile(named, variables)
  const command = commandOf({ python: python ?? 'python3', file })
  return [programDefinition({ id, folder: dirname(file) }, { kind: 'program', command })]
}

function commandOf({ python, file }: { python: string; file: string }): string[] {
  return [python, '-m', 'espalier.environments', file]
}

/**
 * Adds the environment to `environments.json` of the data folder, so that its runs can be resumed from there. A
 * service that holds the folder reads it there. A remote service has its own folder, so nothing is written.
 * @throws EspalierError if the file has another environment of that name
 */
export async function addEnvironmentFile(
  { id, file, python }: EnvironmentOfFile,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.service !== undefined) return
  const folder = resolve(options.folder)
  const { readEnvironmentsFile } = await import('../shared/environments/added/read-environments-file.ts')
  const { definitions } = await import('../shared/environments/environments.ts')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'environments.json')
  const taken = definitions.map((definition) => definition.id)
  if (taken.includes(id)) {
    throw wrongUsage(
      `"${id}" of ${file} is the name of an environment that comes with Espalier. Choose another.`,
    )
  }
  const added = await readEnvironmentsFile(path, taken)
  const from = relative(folder, file).split(sep).join('/')
  const entry: AddedEnvironment =
    python === null
      ? { kind: 'module', file: from }
      : { kind: 'program', command: commandOf({ python, file: from }) }
  const known = added.get(id)
  if (known !== undefined && isSame(known, entry, folder)) return
  const changed = known === undefined ? entry : underAnotherPython(known, entry)
  if (changed === null) {
    throw wrongUsage(
      `${path} has another environment "${id}" already. Change that entry, or the id in ${file}.`,
    )
  }
  added.set(id, changed)
  await writeFile(path, `${JSON.stringify({ environments: Object.fromEntries(added) }, null, 2)}\n`)
  terminal.note(
    known === undefined ? `${id} was added to ${path}.` : `${id} is now played by ${python}: ${path}.`,
  )
}

function underAnotherPython(known: AddedEnvironment, entry: AddedEnvironment): AddedEnvironment | null {
  if (known.kind !== 'program' || entry.kind !== 'program') return null
  const isOneFile = JSON.stringify(known.command.slice(1)) === JSON.stringify(entry.command.slice(1))
  return isOneFile ? { ...known, command: entry.command } : null
}

/** Also true for a module with its own limits, or with another spelling of its path. */
function isSame(known: AddedEnvironment, entry: AddedEnvironment, folder: string): boolean {
  if (known.kind === 'module' && entry.kind === 'module')
    return resolve(folder, known.file) === resolve(folder, entry.file)
  return JSON.stringify(known) === JSON.stringify(entry)
}

/** @throws CommandError with the remedy if a service does not know the environment */
export async function checkEnvironmentServed(
  client: ApiClient,
  { id, file }: EnvironmentOfFile,
): Promise<void> {
  try {
    await client.environment(id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    throw new CommandError(
      'environment_not_served',
      `The service at ${client.address} does not know the environment "${id}" of ${file}. Add it to environments.json in the service's data folder: docs/own-environments.md.`,
      1,
    )
  }
}
