import { dirname, resolve } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { isKilled } from '../../../core/threads/retry-killed.ts'
import { type AddedMethod, describeModule } from '../methods.ts'
import { loadMethodModule } from './load-method-module.ts'
import { type MethodFiles, readMethodsFile } from './methods-file.ts'

export interface AddedMethodsOptions {
  path: string
  more?: MethodFiles
  /** The versions to load, by id: those with which the service started. @default any version */
  versions?: Readonly<Record<string, string>>
}

/**
 * Loads the methods that an administrator added in `methods.json`. If a module cannot be loaded, or has changed since
 * the service started, its method carries the reason and the others still play.
 *
 * @throws EspalierError `invalid_request` for a mistake in `methods.json` itself
 */
export async function loadAddedMethods({
  path,
  more = new Map(),
  versions,
}: AddedMethodsOptions): Promise<AddedMethod[]> {
  const files = new Map([...(await readMethodsFile(path)), ...more])
  return Promise.all(
    Array.from(files, ([id, { file }]) => loadMethod(id, { path, file, version: versions?.[id] })),
  )
}

export function versionsOf(added: readonly AddedMethod[]): Record<string, string> {
  return Object.fromEntries(added.map(({ id, module }) => [id, module.digest]))
}

async function loadMethod(
  id: string,
  { path, file, version }: { path: string; file: string; version: string | undefined },
): Promise<AddedMethod> {
  try {
    const { digest, methods } = await loadMethodModule(resolve(dirname(path), file), file)
    const module = { file, digest }
    if (version !== undefined && version !== digest) {
      const unavailable = `${describeModule(id, module)} has changed since the service started, so that its runs wait. Start the service again to play it as it is now.`
      return { id, module, method: { unavailable } }
    }
    const method = methods.find((candidate) => candidate.id === id)
    if (method) return { id, module, method }
    const there = methods.map((candidate) => candidate.id).join(', ')
    const unavailable = `${file} exports ${there}, and no "${id}", as methods.json has it. Use the id that it has there.`
    return { id, module, method: { unavailable } }
  } catch (error) {
    const wasKilled = isKilled(error)
    // A worker restarts, with a growing delay. A service serves everything else meanwhile.
    if (!EspalierError.isInstance(error) && !(wasKilled && version === undefined)) throw error
    const module = { file, digest: 'none' }
    const advice = wasKilled
      ? 'Its process was killed from outside, again and again: start the service again.'
      : 'Mend the file and start the service again.'
    const unavailable = `${describeModule(id, module)} cannot be played: ${(error as Error).message} ${advice}`
    return { id, module, method: { unavailable } }
  }
}
