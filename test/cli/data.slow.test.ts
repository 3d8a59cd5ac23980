import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import type { EnvironmentInfo } from '../../shared/core/contracts/catalogue.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { PackFormat } from '../../shared/environments/data-pack.ts'
import type { DataPackRow } from '../../shared/environments/data-packs/open-data-packs.ts'
import { serveApp } from '../support/serve-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const run = promisify(execFile)
const riddle = 'What has keys and opens nothing?\npiano\n'

/** A data folder whose environments.json adds the riddles, and a folder of riddles beside it. */
async function prepare(downloads: PackFormat['downloads'] = []) {
  const folder = await temporaryFolder()
  const toy = join(import.meta.dirname, 'toy-definition.ts')
  const module = `import { toyDefinition } from '${toy}'\nexport const riddles = toyDefinition(${JSON.stringify(downloads)})\n`
  await writeFile(join(folder, 'riddles.ts'), module)
  const environments = { riddles: { kind: 'module', file: './riddles.ts' } }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
  const source = await temporaryFolder()
  await mkdir(join(source, 'hard'))
  await writeFile(join(source, 'piano.txt'), riddle)
  await writeFile(join(source, 'hard', 'map.txt'), 'What has rivers without water?\nmap\n')
  await writeFile(join(source, 'readme.md'), 'Not a riddle.')
  async function espalier(...words: string[]) {
    const terminal = recordingTerminal({ columns: 140 })
    const exitCode = await runCli(
      words.includes('--service') ? words : [...words, '--folder', folder],
      terminal,
    )
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const list = async () =>
    JSON.parse((await espalier('data', 'list', 'riddles', '--json')).out) as DataPackRow[]
  return { folder, source, espalier, list }
}

test('a folder is added, listed, played and removed', async () => {
  const { source, espalier, list } = await prepare()
  const added = await espalier('data', 'add', 'riddles', source, '--name', 'mine')
  expect(added).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/riddles: "mine", 2 files, 74 B, digest/),
  })
  expect(added.out).toContain('tasks: test 2')
  const [row] = await list()
  expect((await espalier('data', 'list')).out).toMatch(new RegExp(`riddles +mine +${row?.digest} +2 +74 B`))
  const shown = JSON.parse((await espalier('environments', 'riddles', '--json')).out) as EnvironmentInfo
  expect(shown).toMatchObject({ data: row?.digest, splits: { test: 2 } })
  expect((await espalier('environments', 'riddles')).out).toContain(`data: pack ${row?.digest}`)
  expect((await espalier('data', 'list', 'pddl')).out).toContain('No data packs of pddl yet')
  const tasks = await espalier('environments', 'riddles', '--tasks')
  expect(tasks.out).toMatch(/hard\/map/)
  const builtin = await espalier('environments', 'riddles', '--tasks', '--data', 'builtin')
  expect(builtin.out).toContain('built-in')
  expect((await espalier('environments', 'riddles', '--data', 'builtin')).out).toContain('data: comes along')
  expect((await espalier('environments', 'riddles', '--tasks', '--type', 'rhymes')).notes).toMatch(
    /no type "rhymes"/,
  )

  const play = ['run', '--environment', 'riddles', '--method', 'react', '--model', 'simulated']
  expect((await espalier(...play, '--task', 'piano')).exitCode).toBe(0)
  const { data: runs } = JSON.parse((await espalier('runs', '--json')).out) as List<Run>
  expect(runs[0]?.request.data).toBe(row?.digest)
  expect((await espalier(...play, '--data', 'builtin', '--task', 'built-in')).exitCode).toBe(0)
  expect(await espalier(...play, '--data', 'yours')).toMatchObject({
    exitCode: 2,
    notes: expect.stringMatching(/no data pack "yours".*builtin, mine/),
  })

  for (const misspelt of ['mnie', row?.digest.slice(0, -1) ?? '']) {
    const { exitCode, notes } = await espalier('data', 'remove', 'riddles', misspelt)
    expect({ exitCode, notes }).toEqual({
      exitCode: 1,
      notes: expect.stringMatching(/Did you mean "(mine|[\da-f]{32})"\?/),
    })
  }
  expect((await espalier('data', 'remove', 'riddles', 'mine')).out).toContain('is removed')
  expect((await espalier('data', 'list')).out).toContain('No data packs yet')
  // Runs name it by its digest, and can be resumed and extended.
  expect((await espalier(...play, '--data', row?.digest ?? '', '--task', 'piano')).exitCode).toBe(0)
  expect(await espalier('data', 'remove', 'riddles', 'mine')).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('There is no data pack mine'),
  })
})

test.each([
  ['riddles.zip', (folder: string, archive: string) => run('zip', ['-qr', archive, '.'], { cwd: folder })],
  [
    'riddles.tar.gz',
    (folder: string, archive: string) => run('tar', ['-czf', archive, '.'], { cwd: folder }),
  ],
  ['riddles.tgz', (folder: string, archive: string) => run('tar', ['-czf', archive, '.'], { cwd: folder })],
  [
    'riddles.tar.xz',
    (folder: string, archive: string) => run('tar', ['-cJf', archive, '.'], { cwd: folder }),
  ],
])('%s is the same pack as the folder, named by the archive', async (name, pack) => {
  const { source, espalier, list, folder } = await prepare()
  const archive = join(await temporaryFolder(), name)
  await pack(source, archive)
  expect(await espalier('data', 'add', 'riddles', archive)).toMatchObject({ exitCode: 0 })
  const [first] = await list()
  expect(first?.name).toBe('riddles')
  await espalier('data', 'add', 'riddles', source)
  expect((await list()).map(({ digest }) => digest)).toEqual([first?.digest])
  expect((await readdir(folder)).filter((entry) => entry.startsWith('unpacked-'))).toEqual([])
})

test('an archive writes nothing outside the folder that it is unpacked into, and links out of it are not followed', async () => {
  const { espalier, list } = await prepare()
  const work = await temporaryFolder()
  await mkdir(join(work, 'inner'))
  await writeFile(join(work, 'secret.txt'), riddle)
  await writeFile(join(work, 'inner', 'piano.txt'), riddle)
  await symlink('../secret.txt', join(work, 'inner', 'link.txt'))
  await run('tar', ['-cf', join(work, 'links.tar'), 'piano.txt', 'link.txt'], { cwd: join(work, 'inner') })
  expect(await espalier('data', 'add', 'riddles', join(work, 'links.tar'))).toMatchObject({ exitCode: 0 })
  expect((await list())[0]).toMatchObject({ name: 'links', files: 1 })

  const outside = join(work, 'outside.tar')
  await run('tar', ['-cPf', outside, '../secret.txt'], { cwd: join(work, 'inner') })
  expect(await espalier('data', 'add', 'riddles', outside)).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('cannot be unpacked'),
  })
})

test.each<[string, (given: { folder: string; source: string }) => string[], number, RegExp]>([
  [
    'an environment that does not exist',
    () => ['data', 'add', 'atlantis', '/'],
    2,
    /no environment "atlantis".*riddles/,
  ],
  [
    'an environment without packs',
    () => ['data', 'add', 'scienceworld', '/'],
    2,
    /scienceworld takes no data packs.*riddles/,
  ],
  [
    'a path that is not there',
    () => ['data', 'add', 'riddles', '/no/such/path'],
    2,
    /is no folder.*riddles as \.txt files/,
  ],
  [
    'a list for an environment that does not exist',
    () => ['data', 'list', 'atlantis'],
    2,
    /no environment "atlantis".*riddles/,
  ],
  ['a file that is no archive', () => ['data', 'add', 'riddles', import.meta.filename], 2, /is no folder/],
  [
    'a folder without what is needed',
    ({ source }) => ['data', 'add', 'riddles', join(source, 'empty')],
    2,
    /no \.txt file/,
  ],
  [
    'an archive that is none',
    ({ source }) => ['data', 'add', 'riddles', join(source, 'broken.zip')],
    1,
    /cannot be unpacked/,
  ],
  [
    'a pack that cannot be played',
    ({ source }) => ['data', 'add', 'riddles', join(source, 'bad')],
    2,
    /no answer/,
  ],
  [
    'data that is offered nowhere',
    () => ['data', 'fetch', 'riddles'],
    2,
    /offered nowhere.*data add riddles/,
  ],
  [
    'a service',
    () => ['data', 'list', '--service', 'http://127.0.0.1:1'],
    2,
    /--folder on its machine, or --stage/,
  ],
])('%s: nothing is added, and the message says what to do', async (_what, words, exitCode, message) => {
  const { folder, source, espalier, list } = await prepare()
  await mkdir(join(source, 'empty'))
  await mkdir(join(source, 'bad'))
  await writeFile(join(source, 'bad', 'bad.txt'), 'Only a question?')
  await writeFile(join(source, 'broken.zip'), 'not a zip')
  const refused = await espalier(...words({ folder, source }))
  expect(refused).toMatchObject({ exitCode, notes: expect.stringMatching(message) })
  expect(await list()).toEqual([])
})

test('while a service holds the folder, the message says to stop it', async () => {
  const { folder, source, espalier } = await prepare()
  const service = await openService({ folder, port: 0, work: false, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  expect(await espalier('data', 'add', 'riddles', source)).toMatchObject({
    exitCode: 1,
    notes: expect.stringMatching(/in use by process \d+.*stop it with Ctrl-C/),
  })
})

const sha256 = createHash('sha256').update(riddle).digest('hex')

test('public data is downloaded, checked and added; what broke off is gone on with', async () => {
  const ranges: (string | undefined)[] = []
  const app = new Hono().get('/piano.txt', (context) => {
    const range = context.req.header('range')
    ranges.push(range)
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    return context.body(riddle.slice(start), start > 0 ? 206 : 200)
  })
  const url = `${await serveApp(app)}/piano.txt`
  const { folder, espalier, list } = await prepare([{ name: 'piano.txt', url, sha256 }])
  await mkdir(join(folder, 'downloads', 'riddles'), { recursive: true })
  await writeFile(join(folder, 'downloads', 'riddles', 'piano.txt.partial'), riddle.slice(0, 10))
  expect(await espalier('data', 'fetch', 'riddles')).toMatchObject({ exitCode: 0 })
  expect(ranges).toEqual(['bytes=10-'])
  expect(await list()).toMatchObject([{ name: 'public', files: 1, size: riddle.length }])
  expect(await readdir(join(folder, 'downloads'))).toEqual([])
  expect(await espalier('data', 'fetch', 'riddles', 'drum.txt')).toMatchObject({
    exitCode: 2,
    notes: expect.stringMatching(/no file "drum\.txt".*piano\.txt/),
  })
})

test('a download that is not what it should be is thrown away', async () => {
  const app = new Hono().get('/piano.txt', (context) => context.text('<html>'))
  const url = `${await serveApp(app)}/piano.txt`
  const { folder, espalier, list } = await prepare([{ name: 'piano.txt', url, sha256 }])
  expect(await espalier('data', 'fetch', 'riddles')).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('SHA-256 differs'),
  })
  expect(await readdir(join(folder, 'downloads', 'riddles'))).toEqual([])
  expect(await list()).toEqual([])
})

test('without a network, the message gives the address and the way round', async () => {
  const url = 'http://127.0.0.1:1/riddles.zip'
  const { espalier } = await prepare([{ name: 'riddles.zip', url, sha256: null }])
  expect(await espalier('data', 'fetch', 'riddles')).toMatchObject({
    exitCode: 1,
    notes: expect.stringMatching(
      /http:\/\/127\.0\.0\.1:1\/riddles\.zip cannot be fetched.*data add riddles FOLDER/s,
    ),
  })
})

test('what was added stays as it was when its source changes, and is played here and on hosts', async () => {
  const { source, espalier } = await prepare()
  await espalier('data', 'add', 'riddles', source)
  await writeFile(join(source, 'piano.txt'), 'Changed?\nyes\n')
  const play = ['run', '--environment', 'riddles', '--method', 'react', '--model', 'simulated']
  expect((await espalier(...play, '--task', 'piano')).exitCode).toBe(0)
  expect(await readFile(join(source, 'piano.txt'), 'utf8')).toContain('Changed')
  const validated = await espalier('environments', 'validate', 'riddles', '--json')
  expect(JSON.parse(validated.out)).toMatchObject({ ok: true, tasks: ['hard/map', 'piano'] })
  const onHost = await espalier('environments', 'validate', 'riddles', '--hosting', 'host', '--json')
  expect(JSON.parse(onHost.out)).toMatchObject({ ok: true, tasks: ['hard/map', 'piano'] })
})
