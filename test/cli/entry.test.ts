import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Options, parse } from 'acorn'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/temporary-folder.ts'

const entry = join(import.meta.dirname, '../..', packageFile.bin.espalier)
const run = promisify(execFile)
/** Makes the Node that runs a module say that it is an older one. */
const asNode20 = [
  '--import',
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})",
]

test('the installed command has the syntax of Node 16', async () => {
  // https://node.green: Node 16 reads all of ES2022 that is used here.
  const options: Options = { ecmaVersion: 2022, sourceType: 'module', allowHashBang: true }
  const text = await readFile(entry, 'utf8')
  expect(() => parse(text, options)).not.toThrow()
})

test('it answers from another folder', async () => {
  const { stdout } = await run(process.execPath, [entry, '--version'], { cwd: await temporaryFolder() })
  expect(stdout.trim()).toBe(packageFile.version)
})

test.runIf(process.platform === 'linux')(
  'an older Node hands over to the Node 24 of the packages',
  async () => {
    const cwd = await temporaryFolder()
    const { stdout } = await run(process.execPath, [...asNode20, entry, '--version'], { cwd })
    expect(stdout.trim()).toBe(packageFile.version)
    await expect(run(process.execPath, [...asNode20, entry, 'no-such'], { cwd })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no-such'),
    })
  },
)

test.each([
  ['the repository', 'cli/espalier.ts', (folder: string) => `npm ci\` in ${folder}`],
  ['the package', 'dist/cli/espalier.js', () => 'npm install` with optional packages'],
])('without Node 24 it says which Node this is and what to do, in %s', async (_name, program, advice) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'cli'))
  await copyFile(entry, join(folder, 'cli/espalier.mjs'))
  await mkdir(join(folder, dirname(program)), { recursive: true })
  await writeFile(join(folder, program), '')
  const started = run(process.execPath, [...asNode20, join(folder, 'cli/espalier.mjs')], { cwd: '/' })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`needs Node 24 or later; this is Node 20\\.20\\.2[\\s\\S]*${advice(folder)}`),
    ),
  })
})
