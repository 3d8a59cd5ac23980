import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { installPackage, packageFolder } from './python-package.ts'

const run = promisify(execFile)
const mistakes = resolve(import.meta.dirname, 'types/mistakes.py')
const fine = [
  ...['good.py', 'good_environments.py', 'good_methods.py'].map((name) =>
    resolve(import.meta.dirname, 'types', name),
  ),
  ...['beam.py', 'no_repeats.py', 'react.py'].map((name) => join(packageFolder, 'examples', name)),
]
let python = ''
let environment: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  const installed = await installPackage()
  python = await pythonWith('test/python-client/requirements-types.txt')
  environment = installed.environment
  return installed.remove
})

/** The lines with an error, as `file:line`. A checker ends with 1 if there are any. */
async function check(words: string[], cwd: string): Promise<string> {
  const { stdout } = await run(python, words, { env: environment, cwd }).catch(
    (error: Error & { code?: number; stdout?: string }) => {
      if (error.code !== 1) throw error
      return { stdout: error.stdout ?? '' }
    },
  )
  return stdout
}

async function mypy(files: string[]): Promise<string[]> {
  const folder = await temporaryFolder()
  const said = await check(['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'cache'), ...files], folder)
  return [...said.matchAll(/^(\S+?\.py):(\d+): error/gm)].map(
    ([, file = '', line]) => `${resolve(folder, file)}:${line}`,
  )
}

async function pyright(files: string[]): Promise<string[]> {
  const folder = await temporaryFolder()
  const settings = {
    typeCheckingMode: 'strict',
    include: files.map((file) => relative(folder, file)),
    extraPaths: [environment.PYTHONPATH],
  }
  await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
  const said = await check(['-m', 'pyright', '--pythonpath', python, '--outputjson'], folder)
  const { generalDiagnostics } = JSON.parse(said) as {
    generalDiagnostics: { file: string; severity: string; range: { start: { line: number } } }[]
  }
  return generalDiagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, range }) => `${file}:${range.start.line + 1}`)
}

test.each([
  ['mypy', mypy],
  ['pyright', pyright],
])('%s finds each of twenty planted mistakes, and none in the examples', async (_, checkTypes) => {
  const lines = (await readFile(mistakes, 'utf8')).split('\n')
  const planted = lines.flatMap((line, index) =>
    /# mistake \d+$/.test(line) ? [`${mistakes}:${index + 1}`] : [],
  )
  expect(planted).toHaveLength(20)
  expect([...new Set(await checkTypes([mistakes]))].toSorted()).toEqual(planted.toSorted())
  expect(await checkTypes(fine)).toEqual([])
})
