import { appendFile, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { backUp, restore } from '../../local/backup/back-up.ts'
import {
  openPostgresWorld,
  type PostgresWorld,
} from '../../shared/core/world/postgres/open-postgres-world.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { startEspalier } from '../service/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectTrees, finishAll, playLocally, startModel, submitAll } from './play-runs.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const quiet = () => undefined
const large = (seed: number) => new Uint8Array(100_000).fill(seed)

interface Place {
  world: string
  objects: string
}

async function newPlace(): Promise<Place> {
  return { world: server.newWorld(), objects: join(await temporaryFolder(), 'objects') }
}

async function open({ world: address, objects }: Place): Promise<PostgresWorld> {
  const world = await openPostgresWorld({ address, objects, logs: await temporaryFolder() })
  onTestFinished(() => world.close())
  return world
}

async function filled() {
  const place = await newPlace()
  const world = await open(place)
  for (let at = 0; at < 5; at += 1) {
    await world.objects.put(`small/${at}`, new Uint8Array(10).fill(at), { content_type: 'text/plain' })
    await world.objects.put(`large/${at}`, large(at))
    await world.ledger.update({
      key: { partition: 'p', sort: `${at}` },
      set: { at, text: 'a\u0000"\\é\u2028\u2029' },
    })
  }
  await world.queues.jobs.send([1, 2].map((job) => ({ body: { job }, group: 'g' })))
  await world.queues.jobs.receive({ max: 1, wait: 0, visibility: 600 })
  return { place, world, target: join(await temporaryFolder(), 'copy') }
}

async function contentOf({ objects, ledger }: PostgresWorld) {
  const keys = (await objects.list('')).objects.map(({ key }) => key)
  const bodies = await Promise.all(keys.map((key) => objects.get(key)))
  return { bodies, items: await ledger.query('p') }
}

test('a world in use is copied, and restored into an empty one', async () => {
  const { place, world, target } = await filled()
  const content = await contentOf(world)
  expect(await backUp(place, target, quiet)).toMatchObject({
    ...{ world: 'postgres', store: 'folder', objects: 10, items: 5, messages: 2, damaged: [] },
  })
  const other = await newPlace()
  await restore(target, other, quiet)
  const copy = await open(other)
  expect(await contentOf(copy)).toEqual(content)
  const messages = await copy.queues.jobs.receive({ max: 10, wait: 0, visibility: 60 })
  expect(messages.map(({ body, receives }) => [body, receives])).toEqual([
    [{ job: 1 }, 1],
    [{ job: 2 }, 1],
  ])
  await copy.queues.jobs.send([{ body: { job: 3 }, group: 'g' }])
  expect(await copy.queues.jobs.receive({ max: 1, wait: 1, visibility: 60 })).toHaveLength(1)
  const { url } = await world.objects.sign('small/1', { expires_in: 60 })
  expect((await open(other)).verify(url)).toMatchObject({ key: 'small/1' })
})

test('beside a writer that replaces and removes bodies, the copy is of one moment', async () => {
  const { place, world, target } = await filled()
  const written = new Map<number, Uint8Array>()
  let removals = 0
  let isOver = false
  const first = Promise.withResolvers<void>()
  const writing = (async () => {
    for (let at = 1; !isOver; at += 1) {
      // A backup has ten rounds, and each removal of a file may cost it one. Small bodies have no files.
      const isFile = at % 3 === 0 && removals < 8
      const body = isFile ? large(at) : new Uint8Array(10).fill(at)
      if (isFile) removals += 1
      written.set(at, body)
      await world.objects.put(`changing/${at}`, body)
      await world.ledger.update({ key: { partition: 'p', sort: 'last' }, set: { at } })
      await world.objects.delete(`changing/${at - 1}`)
      first.resolve()
    }
  })()
  await first.promise
  await backUp(place, target, quiet).finally(() => {
    isOver = true
  })
  await writing
  const other = await newPlace()
  await restore(target, other, quiet)
  const copy = await open(other)
  const last = (await copy.ledger.get({ partition: 'p', sort: 'last' }))?.at as number
  expect((await copy.objects.get(`changing/${last}`))?.body).toEqual(written.get(last))
  expect((await contentOf(copy)).bodies).not.toContain(null)
})

test('a world, a folder or a schema that is not fit is refused, and stays as it is', async () => {
  const { place, world, target } = await filled()
  const content = await contentOf(world)
  await backUp(place, target, quiet)
  await expect(restore(target, place, quiet)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/is not empty.*Name another database, or another schema/),
  })
  expect(await contentOf(world)).toEqual(content)
  await expect(restore(target, { folder: await temporaryFolder() }, quiet)).rejects.toThrow(
    /backup of a shared world: restore it with --world/,
  )
  const bucket = { world: server.newWorld(), objects: 's3://bucket' }
  await expect(restore(target, bucket, quiet)).rejects.toThrow(/name a folder with --objects/)
  const absent = { ...(await newPlace()), world: server.newWorld() }
  await expect(backUp(absent, `${target}-2`, quiet)).rejects.toThrow(/There is no world in/)
  // A restore that was interrupted has copied bodies only; the next one completes it.
  const other = await newPlace()
  const isDying = (line: string) => {
    if (line.startsWith('Restored 5 rows')) throw new Error('died')
  }
  await expect(restore(target, other, isDying)).rejects.toThrow('died')
  expect(await contentOf(await open(other))).toMatchObject({ bodies: [], items: { items: [] } })
  await restore(target, other, quiet)
  expect(await contentOf(await open(other))).toEqual(content)
  const [table = ''] = (await readdir(join(target, 'data'))).filter((name) => name.startsWith('ledger'))
  await appendFile(join(target, 'data', table), 'x')
  await expect(restore(target, await newPlace(), quiet)).rejects.toThrow(/ledger.* is not as it was written/)
})

test('damage of the world is copied and named', async () => {
  const { place, target } = await filled()
  const schema = new URL(place.world).searchParams.get('schema')
  const [row] = await server.ask(`select file from ${schema}.objects where key = 'large/2'`)
  await rm(join(place.objects, 'bodies', String(row?.file)))
  await server.ask(
    `update ${schema}.objects set body = set_byte(body, 3, get_byte(body, 3) # 1) where key = 'small/1'`,
  )
  const { damaged } = await backUp(place, target, quiet)
  expect(damaged.toSorted()).toEqual(['object large/2', 'object small/1'])
  const other = await newPlace()
  await restore(target, other, quiet)
  await expect((await open(other)).objects.get('small/1')).rejects.toMatchObject({ code: 'damaged_object' })
})

const few = [
  { method: { id: 'react' }, tasks: 10 },
  { method: { id: 'mcts', iterations: 3, samples: 3, max_depth: 8 }, tasks: 3 },
]

test('runs under way end in the restored world with the trees of an undisturbed one', async () => {
  const expected = await playLocally(few)
  const model = await startModel()
  const place = await newPlace()
  const wordsOf = ({ world, objects }: Place) => ['--world', world, '--objects', objects]
  const serve = (at: Place) =>
    startEspalier('serve', ...wordsOf(at), '--folder', model.folder, '--port', '0', '--workers', '1')
  const service = await serve(place)
  const target = join(await temporaryFolder(), 'copy')
  let isCopied = false
  const ids = await submitAll(service, few)
  await finishAll(service, ids, async () => {
    if (isCopied) return
    const terminal = recordingTerminal()
    expect(await runCli(['backup', target, ...wordsOf(place), '--json'], terminal)).toBe(0)
    isCopied = true
    // The world of the backup is lost while it plays on.
    await service.end('SIGKILL')
  }).catch(() => undefined)
  expect(isCopied).toBe(true)
  const other = await newPlace()
  const terminal = recordingTerminal()
  expect(await runCli(['restore', target, ...wordsOf(other), '--json'], terminal), terminal.outs.join()).toBe(
    0,
  )
  const restored = await serve(other)
  expectTrees(await finishAll(restored, ids, async () => undefined), expected)
  expect(await restored.end('SIGTERM')).toBe(0)
  expect(await readFile(join(target, 'backup.json'), 'utf8')).toContain('"world": "postgres"')
})
