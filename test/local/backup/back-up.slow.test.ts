import { execFile } from 'node:child_process'
import { appendFile, copyFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from '../../../local/backup/back-up.ts'
import type { SealedBackup } from '../../../local/backup/sealed-backup.ts'
import { type LocalWorld, openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { flipBody } from '../../core/world/local/flip-bits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)
const quiet = () => undefined
const large = (seed: number) => new Uint8Array(100_000).fill(seed % 251)

async function open(folder: string): Promise<LocalWorld> {
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  return world
}

/** A folder with objects, items and messages, and settings beside them; and its closed world's content. */
async function filled() {
  const outer = await temporaryFolder()
  const folder = join(outer, 'data')
  const world = await open(folder)
  for (let at = 0; at < 12; at += 1) {
    await world.objects.put(`small/${at}`, new Uint8Array(10).fill(at), { content_type: 'text/plain' })
    await world.objects.put(`large/${at}`, large(at))
    await world.ledger.update({ key: { partition: 'p', sort: `${at}` }, set: { at } })
  }
  await world.queues.jobs.send([{ body: { job: 1 }, group: 'g' }])
  await world.queues.jobs.send([{ body: { job: 2 }, group: 'g' }])
  await world.queues.jobs.receive({ max: 1, wait: 0, visibility: 600 })
  await writeFile(join(folder, 'endpoints.json'), '{}')
  return { outer, folder, world, target: join(outer, 'copy'), again: join(outer, 'again') }
}

async function contentOf({ objects, ledger }: LocalWorld) {
  const keys = (await objects.list('')).objects.map(({ key }) => key)
  const bodies = await Promise.all(keys.map((key) => objects.get(key)))
  return { bodies, items: await ledger.query('p') }
}

test('a backup of a folder in use restores the same objects, items, messages and settings', async () => {
  const { folder, world, target, again } = await filled()
  const content = await contentOf(world)
  const sealed = await backUp({ folder }, target, quiet)
  expect(sealed).toMatchObject({ world: 'local', objects: 24, items: 12, messages: 2, damaged: [] })
  await restore(target, { folder: again }, quiet)
  const copy = await open(again)
  expect(await contentOf(copy)).toEqual(content)
  // A message that was taken comes again: its taker is not of this world.
  const messages = await copy.queues.jobs.receive({ max: 10, wait: 0, visibility: 60 })
  expect(messages.map(({ body }) => body)).toEqual([{ job: 1 }, { job: 2 }])
  expect(await readFile(join(again, 'endpoints.json'), 'utf8')).toBe('{}')
  const { url } = await world.objects.sign('small/1', { expires_in: 60 })
  expect(copy.verify(url)).toMatchObject({ key: 'small/1' })
})

test('a backup that dies at any moment is refused, and the next one completes it', async () => {
  const { outer, folder, world } = await filled()
  const program = join(import.meta.dirname, 'backup-process.ts')
  const backUpUntil = (target: string, line: number) =>
    run(process.execPath, [program, folder, target, String(line)])
  const { stdout } = await backUpUntil(join(outer, 'whole'), 0)
  const { lines, sealed } = JSON.parse(stdout) as { lines: number; sealed: SealedBackup }
  const never = join(outer, 'never')
  for (const line of [1, Math.floor(lines / 2), lines]) {
    const [target, again] = [join(outer, `copy-${line}`), join(outer, `again-${line}`)]
    await expect(backUpUntil(target, line)).rejects.toMatchObject({ signal: 'SIGKILL' })
    for (const from of [target, `${target}.partial`])
      await expect(restore(from, { folder: never }, quiet)).rejects.toThrow(
        /unfinished backup. Run espalier backup with the same target again/,
      )
    const { objects, items, files } = await backUp({ folder }, target, quiet)
    expect({ objects, items, files }).toEqual({ objects: 24, items: 12, files: sealed.files })
    await restore(target, { folder: again }, quiet)
    expect(await contentOf(await open(again))).toEqual(await contentOf(world))
  }
  const left = (await readdir(outer)).filter((name) => name === 'never' || name.endsWith('.partial'))
  expect(left).toEqual([])
})

test('beside a writer that replaces and removes bodies, the copy is of one moment', async () => {
  const { outer, folder, world } = await filled()
  const written = new Map<number, Uint8Array>()
  let removals = 0
  let isOver = false
  const first = Promise.withResolvers<void>()
  const writing = (async () => {
    for (let at = 1; !isOver; at += 1) {
      // A backup has ten rounds, and each removal of a file may cost it one. Small bodies have no files.
      const isFile = at % 3 === 0 && removals < 8
      const body = isFile ? large(at) : new Uint8Array(10).fill(at)
      written.set(at, body)
      // An object comes before the item that names it, and goes after it.
      await world.objects.put(`changing/${at}`, body)
      await world.ledger.update({ key: { partition: 'p', sort: 'last' }, set: { at } })
      await world.objects.delete(`changing/${at - 1}`)
      if (isFile) {
        await world.objects.put('large/0', body)
        removals += 2
      }
      first.resolve()
    }
  })()
  await first.promise
  for (let round = 0; round < 3; round += 1) {
    const again = join(outer, `again-${round}`)
    removals = 0
    await backUp({ folder }, join(outer, `copy-${round}`), quiet)
    await restore(join(outer, `copy-${round}`), { folder: again }, quiet)
    const copy = await open(again)
    const last = (await copy.ledger.get({ partition: 'p', sort: 'last' }))?.at as number
    expect((await copy.objects.get(`changing/${last}`))?.body).toEqual(written.get(last))
    const { bodies } = await contentOf(copy)
    expect(bodies).not.toContain(null)
    expect(copy.damage.count).toBe(0)
  }
  isOver = true
  await writing
})

test('a backup with a changed, cut or missing file is refused, and restores nothing', async () => {
  const { outer, folder, target } = await filled()
  await backUp({ folder }, target, quiet)
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const chosen = [
    ...paths.filter((path) => !path.includes('bodies')),
    ...paths.filter((path) => path.includes('bodies')).slice(0, 1),
  ]
  expect(chosen.length).toBe(6)
  const harms: ((path: string) => Promise<void>)[] = [
    (path) => appendFile(path, ' '),
    async (path) => truncate(path, (await readFile(path)).length - 2),
    async (path) => {
      const bytes = await readFile(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(path, bytes)
    },
    (path) => rm(path),
  ]
  const sound = join(outer, 'sound')
  for (const path of chosen) {
    await copyFile(path, sound)
    for (const harm of harms) {
      await harm(path)
      const isBlank = harm === harms[0] && path.endsWith('backup.json')
      if (!isBlank)
        await expect(restore(target, { folder: join(outer, 'never') }, quiet), path).rejects.toThrow(
          /not as it was written|lacks the file|is no backup/,
        )
      await copyFile(sound, path)
    }
  }
  await expect(readdir(join(outer, 'never'))).rejects.toThrow('ENOENT')
  await restore(target, { folder: join(outer, 'again') }, quiet)
})

test('a restore takes an empty folder alone, and replaces an interrupted one', async () => {
  const { outer, folder, target, again } = await filled()
  await backUp({ folder }, target, quiet)
  await expect(restore(target, { folder }, quiet)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/is not empty.*Name a new one with --folder/),
  })
  await expect(backUp({ folder }, target, quiet)).rejects.toThrow(/exists. Name a new folder/)
  await expect(backUp({ folder: outer }, join(outer, 'other'), quiet)).rejects.toThrow(/no data in/)
  await expect(restore(folder, { folder: again }, quiet)).rejects.toThrow(/is no backup/)
  await expect(restore(target, { world: 'postgres://x/y', objects: again }, quiet)).rejects.toThrow(
    /backup of a data folder: restore it with --folder/,
  )
  await cp(join(target, 'data'), `${again}.restoring`, { recursive: true })
  await writeFile(join(`${again}.restoring`, 'strange.json'), '')
  await mkdir(again)
  await restore(target, { folder: again }, quiet)
  expect(await readdir(again)).not.toContain('strange.json')
  expect((await readdir(outer)).filter((name) => name.endsWith('.restoring'))).toEqual([])
})

test('damage of the world is copied and named', async () => {
  const { folder, world, target, again } = await filled()
  await world.close()
  flipBody(folder, 'large/3', 70_000)
  const { damaged } = await backUp({ folder }, target, quiet)
  expect(damaged).toEqual(['object large/3'])
  await restore(target, { folder: again }, quiet)
  const copy = await open(again)
  await expect(copy.objects.get('large/3')).rejects.toMatchObject({ code: 'damaged_object' })
  expect((await copy.objects.get('large/4'))?.body).toEqual(large(4))
})
