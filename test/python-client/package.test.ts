import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { type InstalledPackage, installPackage, packageFolder } from './python-package.ts'

const run = promisify(execFile)
const command = `${process.execPath} ${join(packageFolder, '../../cli/espalier.ts')}`
const files = readdirSync(join(packageFolder, 'tests')).filter((name) => name.startsWith('test_'))
let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
  return installed.remove
})

// Each file starts a service of its own through the package, which ends with it.
test.each(files)('tests of the installed package pass: %s', async (file) => {
  const environment = { ...installed.environment, ESPALIER_COMMAND: command }
  const words = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(packageFolder, 'tests', file)]
  const { stdout } = await run(installed.python, words, { env: environment, cwd: packageFolder }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(error.stdout ?? error.message)
    },
  )
  expect(stdout).toMatch(/\d+ passed/)
  expect(stdout).not.toMatch(/failed|skipped/)
})
