import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import { ApiError } from '../shared/core/client/api-error.ts'
import type { MethodFiles } from '../shared/play/methods/added/methods-file.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export interface MethodOfFile {
  id: string
  file: string
  digest: string
}

export function isMethodFile(text: string | undefined): text is string {
  return text !== undefined && /\.(?:[cm]?[jt]s|py)$/.test(text)
}

/**
 * Loads a method from a file.
 * @throws EspalierError `invalid_request` if it has no method, or an invalid one
 */
export async function readMethodFile(named: string): Promise<MethodOfFile> {
  const { loadMethodModule } = await import('../shared/play/methods/added/load-method-module.ts')
  const file = resolve(named)
  const { digest, methods } = await loadMethodModule(file, named)
  const [method, ...others] = methods
  if (method !== undefined && others.length === 0) return { id: method.id, file, digest }
  const ids = methods.map(({ id }) => id).join(', ')
  throw wrongUsage(
    `${named} exports several methods: ${ids}. Name the file for each in methods.json of the data folder, and give --method one of these ids.`,
  )
}

export async function toMethodFiles({ id, file }: MethodOfFile, folder: string): Promise<MethodFiles> {
  const { fileFrom } = await import('../shared/play/methods/added/methods-file.ts')
  return new Map([[id, { file: fileFrom(join(resolve(folder), 'methods.json'), file) }]])
}

/**
 * Adds the method to `methods.json` of the data folder, so that its runs can be resumed from there. A service that
 * holds the folder has already read that file, and a remote service has its own folder. In both cases nothing is
 * written.
 */
export async function addMethodFile(
  { id, file }: MethodOfFile,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.service !== undefined) return
  const folder = resolve(options.folder)
  const { readServiceFile } = await import('../shared/core/world/local/service-file.ts')
  if ((await readServiceFile(folder)) !== null) return
  const { addToMethodsFile } = await import('../shared/play/methods/added/methods-file.ts')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'methods.json')
  if (await addToMethodsFile(path, id, file)) terminal.note(`${id} was added to ${path}.`)
}

/**
 * Checks that a service plays the same version of the method.
 * @throws CommandError with the remedy if it does not
 */
export async function checkServed(client: ApiClient, { id, file, digest }: MethodOfFile): Promise<void> {
  try {
    const { module } = await client.method(id)
    if (module?.digest === digest) return
    throw notServed(
      module === undefined
        ? `The service at ${client.address} has a method "${id}" of its own, which is not that of ${file}.`
        : `The service at ${client.address} plays another version of ${file}. Start it again.`,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    throw notServed(
      `The service at ${client.address} does not know the method "${id}" of ${file}. Add it to methods.json in the service's data folder, and start the service again: docs/add-method.md.`,
    )
  }
}

function notServed(message: string): CommandError {
  return new CommandError('method_not_served', message, 1)
}
