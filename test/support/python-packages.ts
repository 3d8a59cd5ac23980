import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

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
  const folder = join(environment, 'beside', digest)
  if (await exists(folder)) return folder
  const making = `${folder}-${process.pid}`
  await mkdir(dirname(folder), { recursive: true })
  try {
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', making, '-r', file]
    await run(python, ['-m', 'pip', 'install', ...options], { timeout: 600_000 })
    await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return folder
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
