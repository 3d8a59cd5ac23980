import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { pythonWith } from '../support/python-venv.ts'

const run = promisify(execFile)

export const packageFolder = resolve(import.meta.dirname, '../../clients/python')

export interface InstalledPackage {
  /** A Python with what the tests need, and without the package. */
  python: string
  /** Variables with which it finds the package. */
  environment: NodeJS.ProcessEnv
  remove(): Promise<void>
}

/** Builds the package and installs it into an empty folder, as users have it. */
export async function installPackage(): Promise<InstalledPackage> {
  const python = await pythonWith('clients/python/requirements-development.txt')
  const folder = await mkdtemp(join(tmpdir(), 'espalier-python-'))
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-build-isolation']
  await run(python, ['-m', 'pip', 'install', ...options, '--target', folder, packageFolder])
  const { ESPALIER_URL: _url, ESPALIER_API_KEY: _key, ...rest } = process.env
  return {
    python,
    environment: { ...rest, PYTHONPATH: folder },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
