import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fillCacheFolder } from '../../shared/core/programs/cache-folder.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/**
 * A folder for `PYTHONPATH` with the packages of a requirements file and nothing that they depend on, beside the virtual
 * environment that is to use them: for packages whose pins exclude each other.
 *
 * @param python - of a virtual environment; see {@link pythonWith}
 */
export async function packagesFor(python: string, requirements: string): Promise<string> {
  const file = join(root, requirements)
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 16)
  const environment = dirname(dirname(python))
  return fillCacheFolder(join(environment, 'beside', digest), async (folder) => {
    const alone = ['--no-deps', '--ignore-requires-python', '--target', folder, '-r', file]
    const options = ['--quiet', '--disable-pip-version-check', ...alone]
    await run(python, ['-m', 'pip', 'install', ...options], { timeout: 600_000 })
  })
}
