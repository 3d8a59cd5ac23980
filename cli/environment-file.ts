import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { ApiClient } from '../shared/client/api-client.ts'
import { ApiError } from '../shared/client/api-error.ts'
import type { ProgramRegistration } from '../shared/environments/program/registration.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

/** An environment that a user named by its Python file, such as `--environment ./env.py`. */
export interface EnvironmentOfFile {
  id: string
  /** An absolute path. */
  file: string
  /** The Python that plays it. */
  python: string
}

/** Whether what stands for an environment is a Python file: ids have no dots. */
export function isEnvironmentFile(text: string | undefined): text is `${string}.py` {
  return text?.endsWith('.py') === true
}

/**
 * Asks a Python file which environment it defines.
 *
 * @throws EspalierError `invalid_request` where it defines none, or Python lacks the package
 */
export async function readEnvironmentFile(
  named: string,
  { ESPALIER_PYTHON: python = 'python3' }: NodeJS.ProcessEnv,
): Promise<EnvironmentOfFile> {
  const { describeProgram } = await import('../shared/environments/program/describe-program.ts')
  const file = resolve(named)
  const { environment: id } = await describeProgram(named, {
    command: commandOf({ python, file }),
    folder: dirname(file),
  })
  return { id, file, python }
}

/** How the file is served: by the Python package, which finds what it defines. */
export function commandOf({ python, file }: Pick<EnvironmentOfFile, 'python' | 'file'>): string[] {
  return [python, '-m', 'espalier.environments', file]
}

/**
 * Adds the environment to `environments.json` of the data folder, so that its runs can be resumed from there. A service that
 * holds the folder finds it there; one elsewhere has a folder of its own, and nothing is written.
 *
 * @throws EspalierError where the file has another environment of that name
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
  const entry: ProgramRegistration = {
    kind: 'program',
    command: commandOf({ python, file: relative(folder, file).split(sep).join('/') }),
  }
  const known = added.get(id)
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(entry)) return
  if (known !== undefined) {
    throw wrongUsage(
      `${path} has another environment "${id}" already. Change that entry, or the id in ${file}.`,
    )
  }
  added.set(id, entry)
  await writeFile(path, `${JSON.stringify({ environments: Object.fromEntries(added) }, null, 2)}\n`)
  terminal.note(`${id} was added to ${path}.`)
}

/** @throws CommandError with what to do where a service does not know the environment */
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
