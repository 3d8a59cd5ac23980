import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { lockMark, lockOf } from '../../shared/core/programs/locked-list.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import type { PackageList } from '../../shared/environments/image-facts.ts'
import { images } from '../../shared/environments/images.ts'

// Writes the lock beside each list of packages: their dependencies with versions, and the
// files' hashes for every platform. An installed environment keeps its packages until its list changes: to replace a
// package that only a lock names, pin it in the list.

const root = resolve(import.meta.dirname, '../..')
const ofHosts = images.flatMap(({ folder, lists = [{ list: 'requirements.txt', isAlone: false }] }) =>
  lists.map(({ list, isAlone }) => ({ list: `${folder}/${list}`, isAlone })),
)

export const lockedLists: readonly PackageList[] = [
  ...ofHosts.filter(({ list }) => existsSync(join(root, list))),
  { list: 'containers/model-server/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements.txt', isAlone: false },
  { list: 'containers/trainer/requirements-prm.txt', isAlone: true },
  { list: 'scripts/supply-chain/requirements.txt', isAlone: false },
]

if (import.meta.main) await lockLists()

async function lockLists(): Promise<void> {
  const { python } = await installPythonEnvironment(
    { requirements: join(import.meta.dirname, 'requirements.txt'), variables: process.env },
    console.error,
  )
  for (const { list, isAlone } of lockedLists) {
    const path = join(root, list)
    const options = ['--universal', '--generate-hashes', '--no-header', '--python-version', '3.11', '--quiet']
    const words = ['-m', 'uv', 'pip', 'compile', ...options, ...(isAlone ? ['--no-deps'] : []), path]
    const { status, stdout, stderr } = spawnSync(python, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Error(`${list} cannot be locked: ${stderr}`)
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
    const text = `${lockMark}${digest}\n${stdout.replaceAll(path, list)}`
    writeFileSync(lockOf(path), text)
    console.log(relative(root, lockOf(path)))
  }
}
