import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installation, installPackage } from './install-package.ts'

const root = resolve(import.meta.dirname, '../..')
const simulated = ['--model', 'simulated', '--limit', '2']
let installed: Installation
let files: string[]
let manifest: Record<string, Record<string, string>>

beforeAll(async () => {
  installed = await installPackage()
  files = await readdir(installed.home, { recursive: true, encoding: 'utf8' })
  manifest = JSON.parse(await readFile(join(installed.home, 'package.json'), 'utf8'))
  await writeModule()
})
afterAll(() => installed.remove())

const espalier = (...words: string[]) => installed.run('npx', ['espalier', ...words])

/** The example of an environment, as a user of the package writes it. */
async function writeModule(): Promise<void> {
  for (const name of ['guess-number.ts', 'greedy.ts'])
    await cp(join(root, 'examples', name), join(installed.folder, name))
  await mkdir(join(installed.folder, '.espalier'))
  const methods = { greedy: { file: '../greedy.ts' } }
  await writeFile(join(installed.folder, '.espalier/methods.json'), JSON.stringify({ methods }))
  const environments = { 'guess-number': { kind: 'module', file: '../guess-number.ts' } }
  await writeFile(join(installed.folder, '.espalier/environments.json'), JSON.stringify({ environments }))
}

async function modules(): Promise<{ path: string; text: string }[]> {
  const paths = files.filter((path) => /^dist\/(?!web).*\.js$/.test(path))
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(installed.home, path), 'utf8') })),
  )
}

describe('the tarball', () => {
  test('is small, and has no sources, tests, benches or infrastructure', () => {
    expect(installed.tarballSize).toBeLessThan(6_200_000)
    expect(
      files.filter((path) => /(?<!\.d)\.ts$|(^|\/)(test|bench|infra|scripts|chaos)\//.test(path)),
    ).toEqual([])
  })

  test('runs nothing when it is installed', () => {
    expect(
      Object.keys(manifest.scripts ?? {}).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
    ).toEqual([])
  })

  test('depends on what its code imports, and on nothing else', async () => {
    const imported =
      /(?:\bfrom |\bimport\(|^import )['"]([^'"./][^'"]*)['"]|\.resolve\('([^']+)\/package\.json'\)/gm
    const names = (await modules())
      .filter(({ path }) => !path.includes('/api/docs/'))
      .flatMap(({ text }) => [...text.matchAll(imported)].map(([, one, other]) => one ?? other ?? ''))
      .filter((name) => /^[@\w]/.test(name) && !name.startsWith('node:') && !name.includes(' '))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    const known = Object.keys(manifest.dependencies ?? {})
    expect(
      known.filter((name) => !names.includes(name)),
      'not imported',
    ).toEqual([])
    expect(
      [...new Set(names)].filter((name) => !known.includes(name)),
      'not a dependency',
    ).toEqual([])
  })

  test('has every file that its code starts by name', async () => {
    const all = await modules()
    const sources = all.flatMap(({ path, text }) =>
      [...text.matchAll(/['"`][\w./-]*\w\.ts['"`]/g)].map(([name]) => `${path}: ${name}`),
    )
    expect(sources, 'named with the extension of the repository').toEqual([])
    const started = all.flatMap(({ text }) =>
      [...text.matchAll(/`([\w./-]+)\$\{ext[^}]*\}`/g)].map(([, name]) => `${basename(name ?? '')}.js`),
    )
    expect(started.length).toBeGreaterThan(5)
    expect(started.filter((name) => !files.some((path) => basename(path) === name))).toEqual([])
  })
})

test('the command says what it can do', async () => {
  expect((await espalier('--version')).stdout.trim()).toBe(manifest.version)
  expect((await espalier('run', '--help')).stdout).toContain('--environment')
})

test('the stack of a fault names the source that it is in', async () => {
  const breaking = "data:text/javascript,process.stdout.on = () => { throw new Error('a fault') }"
  const command = join(installed.home, 'cli/espalier.mjs')
  await expect(installed.run(process.execPath, ['--import', breaking, command])).rejects.toMatchObject({
    stderr: expect.stringMatching(/a fault[\s\S]*\/cli\/espalier\.ts:\d+:\d+/),
  })
})

test('the package has the skill file for coding agents, and prints it', async () => {
  expect(files).toContain('dist/cli/skill/espalier/SKILL.md')
  expect((await espalier('mcp', '--skill')).stdout).toMatch(/^---\nname: espalier\n/)
})

test('the quickstart plays, compares, exports, and says how this user goes on', async () => {
  const { stdout } = await espalier('quickstart', '--no-serve', '--tasks', '6', '--latency', '0')
  expect(stdout).toContain('mcts minus react')
  expect(stdout).toMatch(/\nnpx espalier show run-\S+ ep-\S+ --tree/)
})

test('an environment of the user in TypeScript is validated, here and on a host', async () => {
  const few = ['--tasks', '2', '--steps', '4']
  await espalier('environments', 'validate', './guess-number.ts', ...few)
  await espalier('environments', 'validate', './guess-number.ts', '--hosting', 'host', ...few)
})

test('a method of the user in TypeScript is validated', async () => {
  const { stdout } = await espalier(
    'methods',
    'validate',
    './greedy.ts',
    '--environment',
    'textcraft',
    '--steps',
    '3',
  )
  expect(stdout).toContain('greedy keeps every law that was checked.')
})

/** What a bundler makes of a module for browsers. It refuses Node's own modules. */
async function bundle(contents: string): Promise<{ code: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: installed.folder },
    absWorkingDir: installed.folder,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    metafile: true,
    write: false,
  })
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== '<stdin>'),
  )
  return { code: outputFiles[0]?.text ?? '', inputs: used.map(([path]) => path) }
}

test('a bundle with schemas for browsers has zod beside the client, and nothing else', async () => {
  const { code, inputs } = await bundle(
    "import { runRequestSchema } from 'espalier/client'\nconsole.log(runRequestSchema.safeParse({}).success)",
  )
  const foreign = /node_modules\/(?!zod\/|espalier\/dist\/shared\/core\/contracts\/)/
  expect(inputs.filter((path) => foreign.test(path))).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(120_000)
})

test.each([
  ['Node', { module: 'nodenext', lib: ['es2024'], types: ['node'] }],
  ['a bundler for browsers', { module: 'preserve', lib: ['es2024', 'dom', 'dom.iterable'], types: [] }],
])('the client and what modules import have types for %s', async (_name, compilerOptions) => {
  const uses = `import { createClient, type Run, runRequestSchema } from 'espalier/client'
    import type { PureEnvironment } from 'espalier/environment'
    import { defineMethod, maxStepsParameter, z } from 'espalier/method'
    import { EspalierError } from 'espalier/errors'
    const run: Run = await createClient({ address: 'http://127.0.0.1:8080' }).run('run-1')
    // @ts-expect-error: a status is no number
    run.status satisfies number
    export const facts: [string, boolean] = [run.id, runRequestSchema.safeParse({}).success]
    export const method = defineMethod({
      id: 'mine', description: 'Mine.', branches: false,
      parameters: z.strictObject({ tries: z.int().default(2), max_steps: maxStepsParameter }),
      async play(scope, { tries }) {
        // @ts-expect-error: a count is no text
        tries satisfies string
        const [proposal] = await scope.propose(scope.tree.root, { key: 'one', n: tries })
        if (proposal) await scope.step(scope.tree.root, proposal)
      },
    })
    export type Snapshot = PureEnvironment['snapshot']
    export const error = new EspalierError('unknown_task', 'none')`
  await writeFile(join(installed.folder, 'uses.ts'), uses)
  const options = { ...compilerOptions, target: 'es2024', strict: true, noEmit: true }
  const typeRoots = [join(root, 'node_modules/@types')]
  await writeFile(
    join(installed.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, typeRoots }, files: ['uses.ts'] }),
  )
  const compiled = installed.run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')])
  expect((await compiled.catch((error: { stdout: string }) => error)).stdout).toBe('')
})

describe('a service', () => {
  let service: { address: string; stop(): Promise<number | null> }
  beforeAll(async () => {
    service = await startService()
  })

  async function startService() {
    const command = join(installed.folder, 'node_modules/.bin/espalier')
    const child = spawn(command, ['serve', '--port', '0', '--workers', '1', '--json'], {
      cwd: installed.folder,
      env: installed.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    return {
      address: (JSON.parse(line) as { address: string }).address,
      async stop() {
        child.kill('SIGTERM')
        return (await ended)[0] as number | null
      },
    }
  }

  test('serves the dashboard, the guide and the reference', async () => {
    const page = await fetch(new URL('/guide/first-steps', service.address), {
      headers: { Accept: 'text/html' },
    })
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
    for (const path of [script, '/docs', '/openapi.json', '/health'])
      expect((await fetch(new URL(path, service.address))).status, path).toBe(200)
    const [start] = (await readdir(join(installed.home, 'dist/web/dist/assets'))).filter((name) =>
      /^first-steps-.*\.js$/.test(name),
    )
    expect((await fetch(new URL(`/assets/${start}`, service.address))).status).toBe(200)
  })

  test.each([
    ['the environment of a module', 'guess-number', 'react'],
    ['a method of a module', 'textcraft', 'greedy'],
    ['a program on a thread', 'textcraft', 'code-as-policy'],
  ])('its worker plays %s', async (_name, environment, method) => {
    const words = ['--environment', environment, '--method', method, ...simulated, '--json']
    const { stdout } = await espalier('run', '--service', service.address, ...words)
    // Events, then the run, then its report.
    const [run = ''] = stdout.trim().split('\n').slice(-2)
    expect(JSON.parse(run)).toMatchObject({ status: 'succeeded', episodes: { total: 2, errored: 0 } })
  })

  test('the client that a bundler made for browsers asks it, without anything of Node', async () => {
    const text = `import { createClient } from 'espalier/client'
      answer = createClient({ address }).environments().then(({ data }) => data.map(({ id }) => id))`
    const { code, inputs } = await bundle(text)
    expect(inputs.filter((path) => !/espalier\/dist\/shared\/core\/(client|contracts)\//.test(path))).toEqual(
      [],
    )
    expect(gzipSync(code).length).toBeLessThan(6000)
    const page = {
      fetch,
      URL,
      Headers,
      Response,
      AbortSignal,
      setTimeout,
      address: service.address,
      answer: null,
    }
    runInNewContext(code, page)
    expect(await page.answer).toContain('guess-number')
  })

  test('the example of the client plays a run and reads its report', async () => {
    await cp(join(root, 'examples/client.ts'), join(installed.folder, 'client.ts'))
    const { stdout, stderr } = await installed.run(process.execPath, ['client.ts', service.address])
    expect(JSON.parse(stdout).report).toMatchObject({ episodes: { total: 5 } })
    expect(stderr).toContain('404 ')
  })

  afterAll(async () => expect([0, 130]).toContain(await service.stop()))
})
