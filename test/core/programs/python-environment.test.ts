import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import {
  findPythonEnvironment,
  installPythonEnvironment,
  type WantedEnvironment,
} from '../../../shared/core/programs/python-environment.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let folder: string
let wanted: WantedEnvironment

/** Stands in for Python: an environment has a copy of it, and installing is what the requirements say in shell. */
const program = `#!/bin/sh
case "$1$2" in
  --version) echo "Python 3.11.0" ;;
  -mvenv) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  -mpip) for last; do :; done; . "$last" ;;
esac
`

beforeEach(async () => {
  folder = await temporaryFolder()
  const python = join(folder, 'python3')
  await writeFile(python, program)
  await chmod(python, 0o755)
  const variables = { ESPALIER_PYTHON: python, ESPALIER_CACHE: join(folder, 'cache') }
  wanted = { requirements: join(folder, 'requirements.txt'), variables }
})

test('an environment is made once, and found by all that want the same packages', async () => {
  await writeFile(wanted.requirements, `echo installed >> "${folder}/installations"`)
  expect(await findPythonEnvironment(wanted)).toMatchObject({ isInstalled: false })
  const lines: string[] = []
  const made = await installPythonEnvironment(wanted, (line) => lines.push(line))
  await installPythonEnvironment(wanted, () => {})
  expect(await readFile(join(folder, 'installations'), 'utf8')).toBe('installed\n')
  expect(await findPythonEnvironment(wanted)).toEqual(made)
})

test.each([
  ['has it', 'echo', ['torch==9.9.9', 'requirements']],
  ['has no answer', 'exit 5', ['torch==9.9.9', 'requirements']],
])('another build of PyTorch comes first, from an index that %s', async (_, answers, installed) => {
  const { ESPALIER_PYTHON: python = '' } = wanted.variables
  const script = `#!/bin/sh
case "$1$2" in
  --version) echo "Python 3.11.0" ;;
  -mvenv) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  -mpip) for last; do :; done
    case "$last" in torch*) echo "$last" >> "${folder}/installed"; ${answers} ;; *) echo requirements >> "${folder}/installed" ;; esac ;;
esac
`
  await writeFile(python, script)
  await writeFile(wanted.requirements, '# a list\ntorch==9.9.9\ntrl==1.0.0\n')
  const lines: string[] = []
  const torchIndex = 'https://index.example.com/cpu'
  const made = await installPythonEnvironment({ ...wanted, torchIndex }, (line) => lines.push(line))
  expect((await readFile(join(folder, 'installed'), 'utf8')).trim().split('\n')).toEqual(installed)
  expect(lines.some((line) => line.includes('the build of the package index'))).toBe(answers === 'exit 5')
  expect(await findPythonEnvironment(wanted)).toEqual(made)
})

test('an installation that fails says its last lines, and leaves nothing', async () => {
  await writeFile(wanted.requirements, 'echo no such package >&2; exit 3')
  await expect(installPythonEnvironment(wanted, () => {})).rejects.toThrow('code 3')
  await expect(installPythonEnvironment(wanted, () => {})).rejects.toThrow('no such package')
  expect(await readdir(join(folder, 'cache/python'))).toEqual([])
})

test('an installation that is given up ends its program, and leaves nothing', async () => {
  await writeFile(wanted.requirements, `echo begun; exec sleep 600`)
  const abort = new AbortController()
  const reason = new Error('no longer wanted')
  const installing = installPythonEnvironment(wanted, () => abort.abort(reason), abort.signal)
  await expect(installing).rejects.toBe(reason)
  expect(await readdir(join(folder, 'cache/python'))).toEqual([])
  await expect(installPythonEnvironment(wanted, () => {}, abort.signal)).rejects.toBe(reason)
  expect(existsSync(join(folder, 'installations'))).toBe(false)
})
