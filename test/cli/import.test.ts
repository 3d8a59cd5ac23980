import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type ImportWork, importFiles } from '../../cli/import/import-files.ts'
import { openClient } from '../../cli/open-client.ts'
import { runCli } from '../../cli/run-cli.ts'
import { createApp } from '../../functions/api/create-app.ts'
import { importSettingsSchema } from '../../shared/core/contracts/trajectory-import.ts'
import { openTrajectories } from '../../shared/data/trajectories/open-trajectories.ts'
import { allOf } from '../data/trajectories/read-text.ts'
import { FakeServices } from '../functions/api/fake-services.ts'
import { openOwnWorld } from '../support/open-test-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { brokenExpert, expert } from './experts.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(folder: string, ...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli([...words, '--folder', join(folder, '.espalier')], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

/** A folder with files of rows in it. */
async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

test('a file is imported, what is wrong in it is shown with its place, and both can be seen again', async () => {
  const folder = await folderWith({
    'experts.json': JSON.stringify([expert(1), brokenExpert, expert(3)], null, 1),
  })
  const file = join(folder, 'experts.json')
  const done = await espalier(folder, 'import', file, '--environment', 'textcraft', '--name', 'mine')
  expect(done.exitCode).toBe(0)
  const [id = ''] = /import-[\w-]+/.exec(done.out) ?? []
  expect(done.out).toContain(`${id}: 2 trajectories from eto, 1 row rejected`)
  expect(done.out).toContain(`${file}, line 27, conversations[0].from: unknown role "robot"`)
  expect(done.out).toContain(`espalier export --trajectories ${id}`)

  expect((await espalier(folder, 'trajectories')).out).toMatch(new RegExp(`${id} +eto +2 +1 +complete +mine`))
  const shown = await espalier(folder, 'trajectories', id, '--limit', '1')
  expect(shown.out).toMatch(/row-0000001 +textcraft +textcraft_1 +expert +1/)
  expect(shown.out).toContain('unknown role')
  expect(shown.notes).toContain(`espalier trajectories ${id} --after row-0000001`)
  const json = JSON.parse((await espalier(folder, 'trajectories', id, '--rejections', '--json')).out)
  expect(json).toMatchObject({ id, rejected: 1, rejection_list: { data: [{ row: 2, line: 27 }] } })
})

test('an environment that is not here is said to be none of the service’s, and the rows are kept', async () => {
  const folder = await folderWith({ 'a.jsonl': `${JSON.stringify(expert(1))}\n` })
  const file = join(folder, 'a.jsonl')
  const strange = await espalier(folder, 'import', file, '--environment', 'textcart')
  expect(strange.notes).toContain('There is no environment "textcart" here (there are textcraft')
  expect(strange.out).toContain('1 trajectory from eto')
  const known = await espalier(folder, 'import', file, '--environment', 'textcraft')
  expect(known.notes).not.toContain('There is no environment')
})

test('--dry-run reports the same and stores nothing', async () => {
  const folder = await folderWith({
    'a.jsonl': `${JSON.stringify(expert(1))}\n${JSON.stringify(brokenExpert)}\n`,
  })
  const looked = await espalier(
    folder,
    'import',
    join(folder, 'a.jsonl'),
    '--environment',
    'textcraft',
    '--dry-run',
    '--json',
  )
  expect(JSON.parse(looked.out)).toMatchObject({
    trajectories: 1,
    rejected: 1,
    rejections: [{ line: 2 }],
    settings: { format: 'eto' },
  })
  expect((await espalier(folder, 'trajectories')).out).toContain('None yet')
})

test('files of a folder come in the order of their numbers, each named for its task, gzipped or not', async () => {
  const rollout = JSON.stringify({ meta: { reward: 0.5 }, conversations: expert(0).conversations })
  const folder = await folderWith({
    'out/10.json': rollout,
    'out/9.json': rollout,
    'out/deep/11.json.gz': gzipSync(rollout),
    'out/manifest.json': '{}',
    'out/log.txt': 'no rows',
  })
  const options = ['--environment', 'webshop', '--model', 'llama', '--json']
  const { id, trajectories } = JSON.parse(
    (await espalier(folder, 'import', join(folder, 'out'), ...options)).out,
  )
  expect(trajectories).toBe(3)
  const { trajectory_list } = JSON.parse((await espalier(folder, 'trajectories', id, '--json')).out)
  expect(trajectory_list.data).toMatchObject([
    { task: 'webshop-9', reward: 0.5, model: 'imported/llama', line: 1 },
    { task: 'webshop-10' },
    { task: 'webshop-11' },
  ])
})

test.each<[string, Record<string, string>, string[], number, string]>([
  ['a file that is not there', {}, ['import', 'nowhere.json'], 2, 'no file or folder'],
  ['a folder without rows', { 'x/readme.md': '' }, ['import', 'x'], 2, 'holds no'],
  [
    'a format that is not recognised',
    { 'x.json': '[{"a": 1}]' },
    ['import', 'x.json'],
    2,
    'has the fields a. Name it with --format',
  ],
  [
    'UTF-16',
    { 'x.jsonl': '\xff\xfe{\0' },
    ['import', 'x.jsonl'],
    2,
    'Convert it: iconv -f UTF-16 -t UTF-8. Name it',
  ],
  [
    'a format that there is not',
    { 'x.json': '[]' },
    ['import', 'x.json', '--format', 'csv'],
    2,
    '--format must be one of',
  ],
  [
    'a setting out of its range',
    { 'x.json': '[]' },
    ['import', 'x.json', '--format', 'eto', '--success-at', '2'],
    2,
    '--success-at must be at most 1',
  ],
  ['no rows', { 'x.json': '[]' }, ['import', 'x.json', '--format', 'eto'], 1, 'There is no row in'],
  [
    'no trajectory',
    { 'x.json': JSON.stringify([brokenExpert]) },
    ['import', 'x.json', '--format', 'eto'],
    1,
    'unknown role "robot"',
  ],
  [
    'a damaged file',
    { 'x.json.gz': '\x1f\x8bnonsense' },
    ['import', 'x.json.gz', '--format', 'eto'],
    1,
    'cannot be read as gzip',
  ],
])('%s is refused and nothing is stored', async (_, files, words, exitCode, message) => {
  const folder = await folderWith(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'latin1')])),
  )
  const [command = '', path = '', ...options] = words
  const refused = await espalier(folder, command, join(folder, path), ...options)
  expect(refused.notes).toContain(message)
  expect(refused.exitCode).toBe(exitCode)
  expect((await espalier(folder, 'trajectories')).out).toContain('None yet')
})

test('an import that was killed goes on where it was, and one that is done is not made again', async () => {
  const rows = Array.from({ length: 400 }, (_, id) =>
    id === 5 || id === 390 ? brokenExpert : expert(id, 'y'.repeat(9000)),
  )
  const folder = await folderWith({ 'big.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join('') })
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const services = new FakeServices()
  const own = openTrajectories({ world }).of('default')
  Object.assign(services, { trajectories: own })
  const app = createApp(services, {
    authenticate: () => ({ tenant: 'default', scopes: ['admin'], key: null }),
  })
  let bodies = 0
  const runs = (most: number) => {
    bodies = 0
    const client = openClient({
      address: 'http://service',
      signal: new AbortController().signal,
      async fetcher(address, init) {
        if (address.includes('/rows') && ++bodies > most) throw new Error('killed')
        return app.request(address, init)
      },
    })
    const work: ImportWork = {
      files: [join(folder, 'big.jsonl')],
      settings: importSettingsSchema.parse({ format: 'eto', environment: 'textcraft' }),
      name: undefined,
    }
    return importFiles(work, {
      client,
      line: { update() {}, stop() {} },
      signal: new AbortController().signal,
    })
  }
  await expect(runs(2)).rejects.toThrow('killed')
  const [begun] = (await own.list({ limit: 10 })).data
  expect(begun).toMatchObject({ status: 'receiving', parts: 2 })
  const { made } = await runs(100)
  expect(bodies).toBeLessThan(4)
  expect(made).toMatchObject({ id: begun?.id, status: 'complete', trajectories: 398, rejected: 2, next: 401 })
  const facts = await allOf(own.facts(made?.id ?? ''))
  expect(facts.map(({ task }) => task)).toEqual(
    rows.flatMap((row, id) => (row === brokenExpert ? [] : [`textcraft_${id}`])),
  )
  expect((await own.rejections(made?.id ?? '', { limit: 10 })).data.map(({ line }) => line)).toEqual([6, 391])
  expect((await runs(0)).made).toEqual(made)
})
