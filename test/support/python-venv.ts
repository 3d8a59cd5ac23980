import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder, fillCacheFolder } from '../../shared/core/programs/cache-folder.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

export interface Tool {
  command: string
  /** What it is for, and where it is from, for who does not have it. */
  purpose: string
}

/**
 * The Python of a virtual environment with the packages of a requirements file, made from PyPI when it is first needed and
 * kept in the cache folder under a digest of the requirements and of Python's version.
 *
 * @param tools other programs that are needed
 * @throws Error that says what is missing
 */
export async function pythonWith(requirements: string, tools: readonly Tool[] = []): Promise<string> {
  const python = process.env.ESPALIER_PYTHON ?? 'python3'
  for (const { command, purpose } of [{ command: python, purpose: 'Python 3.11 or later' }, ...tools]) {
    await run(command, ['--version']).catch((cause: Error) => {
      throw new Error(`This needs ${command} (${purpose}), which did not start.`, { cause })
    })
  }
  const file = join(root, requirements)
  const { stdout: version } = await run(python, ['--version'])
  const digest = createHash('sha256')
    .update(await readFile(file))
    .update(version)
    .digest('hex')
    .slice(0, 16)
  const pythonOf = (folder: string) => join(folder, 'bin/python')
  const install = async (folder: string) => {
    await run(python, ['-m', 'venv', folder])
    const options = ['--quiet', '--disable-pip-version-check', '-r', file]
    await run(pythonOf(folder), ['-m', 'pip', 'install', ...options], { timeout: 600_000 })
  }
  const isUsable = (folder: string) => starts(pythonOf(folder))
  return pythonOf(await fillCacheFolder(join(cacheFolder(), 'python', digest), install, isUsable))
}

async function starts(python: string): Promise<boolean> {
  try {
    await run(python, ['--version'])
    return true
  } catch {
    return false
  }
}
