import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import { ownExports, withOwnPython } from '../../../shared/core/programs/own-package.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** A folder outside the repository with a copy of every example, and a command that runs in it. */
async function copyExamples(environment: NodeJS.ProcessEnv = {}) {
  const folder = await temporaryFolder()
  for (const examples of ['examples', 'clients/python/examples'])
    await cp(join(root, examples), folder, { recursive: true })
  const env = { ...process.env, ESPALIER_API_KEY: undefined, ESPALIER_URL: undefined, ...environment }
  const espalier = (...words: string[]) =>
    run(process.execPath, [join(root, 'cli/espalier.ts'), ...words], { cwd: folder, env }).catch(
      (error: { stdout: string; stderr: string; code: number }) => error,
    )
  return { folder, espalier }
}

/** A Python with the standard library alone. */
async function plainPython(): Promise<string> {
  const folder = join(await temporaryFolder(), 'python')
  await run('python3', ['-m', 'venv', '--without-pip', folder])
  return join(folder, 'bin/python')
}

test('a module finds what the package exports, and nothing else', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const named = Object.keys(exports).filter((name) => name !== './package.json')
  expect(Object.keys(ownExports).toSorted()).toEqual(
    named.map((name) => name.replace('.', 'espalier')).toSorted(),
  )
  for (const [name, file] of Object.entries(ownExports)) {
    expect(exports[name.replace('espalier', '.')].default).toBe(`./dist/shared/${file}.js`)
  }
})

test.each(['guess-number.ts', 'guess-number.mts', 'guess-number.mjs', 'guess-number.js'])(
  'a copy of the examples is played from a folder of its own: %s',
  async (name) => {
    const folder = await temporaryFolder()
    const text = await readFile(join(root, 'examples/guess-number.ts'), 'utf8')
    await writeFile(join(folder, name), /\.m?js$/.test(name) ? stripTypeScriptTypes(text) : text)
    for (const example of ['greedy.ts', 'no-repeats.ts'])
      await cp(join(root, 'examples', example), join(folder, example))
    // A run that fails throws.
    const espalier = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'cli/espalier.ts'), ...words], { cwd: folder })
    const words = ['--model', 'simulated', '--limit', '1', '--json']
    const ran = await espalier(
      'run',
      '--environment',
      join(folder, name),
      '--method',
      './greedy.ts',
      ...words,
    )
    const [run = ''] = ran.stdout.trim().split('\n').slice(-2)
    expect(JSON.parse(run)).toMatchObject({ status: 'succeeded', episodes: { errored: 0, total: 1 } })
    const scored = await espalier('score', 'latest', '--name', 'new', '--scorer', './no-repeats.ts')
    expect(scored.stdout + scored.stderr).toContain('score new of run-')
    const shown = await espalier('environments', `./${name}`, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'guess-number', splits: { train: 15, test: 5 } })
  },
  480_000,
)

test('an environment and a scorer in Python need no install, and a method names what it needs', async () => {
  const { espalier } = await copyExamples({ ESPALIER_PYTHON: await plainPython(), PYTHONPATH: undefined })
  const words = ['--model', 'simulated', '--limit', '1', '--json']
  const ran = await espalier('run', '--environment', './guess_number_env.py', '--method', 'react', ...words)
  const [line = ''] = ran.stdout.trim().split('\n').slice(-2)
  expect(JSON.parse(line), ran.stderr).toMatchObject({
    status: 'succeeded',
    episodes: { errored: 0, total: 1 },
  })
  const scored = await espalier('score', 'latest', '--name', 'new', '--scorer', './no_repeats.py')
  expect(scored.stdout + scored.stderr).toContain('score new of run-')
  const method = await espalier('methods', 'validate', './react.py')
  expect(method.stderr).toMatch(
    /react\.py cannot be loaded: .*Methods in Python need pydantic.*ESPALIER_PYTHON/s,
  )
}, 480_000)

test('a script of the client runs from any folder', async () => {
  const service = await openService({ folder: await temporaryFolder(), port: 0, log: () => {} })
  onTestFinished(() => service.close())
  const { espalier, folder } = await copyExamples()
  const ran = await espalier('exec', './client.ts', service.address)
  expect(JSON.parse(ran.stdout), ran.stderr).toMatchObject({ report: { episodes: { total: 5, errored: 0 } } })
  const named = await espalier('exec', './client.ts', '--service', service.address)
  expect(JSON.parse(named.stdout).run).toBe(JSON.parse(ran.stdout).run)
  await writeFile(join(folder, 'ends.mjs'), 'process.exit(process.argv.length)')
  expect(await espalier('exec', 'ends.mjs', '--', '--one', 'two')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ends.mjs ended with exit code 4.'),
  })
  expect(await espalier('exec', './none.ts')).toMatchObject({
    code: 2,
    stderr: 'There is no file ./none.ts.\n',
  })
  expect(await espalier('exec', './careful.md')).toMatchObject({ code: 2 })
}, 480_000)

test('every module of the examples imports only the package by its name', async () => {
  for (const name of await readdir(join(root, 'examples'))) {
    // Formats are modules of the repository (docs/add-format.md).
    if (!name.endsWith('.ts') || name === 'alpaca.ts') continue
    const text = await readFile(join(root, 'examples', name), 'utf8')
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from)
    expect(imported.filter((from) => !Object.hasOwn(ownExports, from) && !from.startsWith('node:'))).toEqual(
      [],
    )
  }
})

test('a program in Python finds the generated models in the installed package', async () => {
  const installed = await temporaryFolder()
  await mkdir(join(installed, 'espalier'))
  await writeFile(join(installed, 'espalier/__init__.py'), '')
  await writeFile(join(installed, 'espalier/models.py'), 'made = "installed"\n')
  const { PYTHONPATH: path } = withOwnPython(['python3'], {})
  const print =
    'import espalier.environments as own, espalier.models as models; print(own.__file__, models.made)'
  const env = { ...process.env, PYTHONPATH: `${path}:${installed}` }
  const { stdout } = await run('python3', ['-c', print], { env })
  expect(stdout).toMatch(/clients\/python\/src\/espalier\/environments\/__init__\.py installed\n$/)
})
