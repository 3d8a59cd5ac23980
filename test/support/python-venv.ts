import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/espalier/python')

export interface Tool {
  command: string
  /** What it is for, and where it is from, for who does not have it. */
  purpose: string
}

/**
 * The Python of a virtual environment with the packages of a requirements file, made from PyPI when it is first needed and
 * kept in node_modules/.cache.
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
  const folder = join(cache, digest)
  const ready = join(folder, 'bin/python')
  if (await starts(ready)) return ready
  await mkdir(cache, { recursive: true })
  await rm(folder, { recursive: true, force: true })
  const making = `${folder}-${process.pid}`
  try {
    await run(python, ['-m', 'venv', making])
    await run(
      join(making, 'bin/python'),
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', file],
      { timeout: 600_000 },
    )
    await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return ready
}

async function starts(python: string): Promise<boolean> {
  try {
    await run(python, ['--version'])
    return true
  } catch {
    return false
  }
}
