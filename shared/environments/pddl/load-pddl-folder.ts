import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { PureEnvironment } from '../environment.ts'
import type { PddlState } from './core.ts'
import { pddlPackFormat } from './pack-format.ts'
import { openPackedProblems } from './packed-problems.ts'
import { createPddl } from './pddl.ts'
import type { PddlOptions } from './pddl-options.ts'

/**
 * Loads an environment from the domains and problems of a folder: every `.pddl` file in it, recursively.
 * @example
 * const environment = await loadPddlFolder('my-domains')
 * const core = await environment.open('logistics-p01')
 * @throws EspalierError `invalid_request` for a file that cannot be read as PDDL, with its line
 */
export async function loadPddlFolder(
  folder: string,
  options?: PddlOptions,
): Promise<PureEnvironment<PddlState>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  const packed = new Map<string, Uint8Array>()
  const source = { files, read: (path: string) => readFile(join(folder, path)) }
  for await (const { path, body } of pddlPackFormat.collect(source)) packed.set(path, body)
  const problems = await openPackedProblems({
    name: basename(folder),
    files: [...packed.keys()],
    async read(path) {
      const body = packed.get(path)
      if (body === undefined) throw new EspalierError('not_found', `The folder gave no file "${path}".`)
      return body
    },
  })
  return createPddl(problems, options)
}
