import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packagesFor } from '../support/python-packages.ts'
import { pythonWith } from '../support/python-venv.ts'
import { buildFolders } from './build-folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds a folder `{kind}/{format}` for every dataset. */
    folder: string
    python: string
    /** For `PYTHONPATH`: the readers of other trainers, and the last TRL with process reward models. */
    readers: string
    prm: string
    /** For `PYTHONPATH`: trainers by reinforcement. */
    rollouts: string
  }
}

/** Builds the datasets while the trainers are installed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-trainers-'))
  const [python] = await Promise.all([
    pythonWith('containers/trainer/requirements.txt'),
    buildFolders(folder),
  ])
  project.provide('folder', folder)
  project.provide('python', python)
  project.provide('readers', await packagesFor(python, 'test/trainers/requirements-readers.txt'))
  project.provide('rollouts', await packagesFor(python, 'test/trainers/requirements-rollouts.txt'))
  project.provide('prm', await packagesFor(python, 'containers/trainer/requirements-prm.txt'))
  return () => rm(folder, { recursive: true, force: true })
}
