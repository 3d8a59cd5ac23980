import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { lockMark, lockOf } from '../../shared/core/programs/locked-list.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { lockedLists } from './locked-lists.ts'

// Writes the lock beside each list of packages: their dependencies with versions, and the
// files' hashes for every platform. An installed environment keeps its packages until its list changes: to replace a
// package that only a lock names, pin it in the list.

const root = resolve(import.meta.dirname, '../..')
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
