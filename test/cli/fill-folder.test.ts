import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeBundle } from '../../cli/bundle/write-bundle.ts'
import { writeTables, writeTrajectories } from '../../cli/commands/download.ts'
import { writeInspectLog } from '../../cli/download/write-inspect-log.ts'
import { fillFolder, writeTextFile } from '../../cli/fill-folder.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { ExportClient } from '../../shared/data/exports/read-episodes.ts'
import { endedRunOfAllKinds, scriptedClient } from '../data/exports/scripted-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Client = ExportClient & Pick<ApiClient, 'compare'>

const runs = [endedRunOfAllKinds]
const [run] = runs as [typeof endedRunOfAllKinds]
const exporters: Record<string, (client: Client, folder: string) => Promise<unknown>> = {
  csv: (client, folder) => writeTables(client, runs, { folder, format: 'csv' }),
  parquet: (client, folder) => writeTables(client, runs, { folder, format: 'parquet' }),
  inspect: (client, folder) => writeInspectLog(client, run, { folder, address: null }),
  atif: (client, folder) => writeTrajectories(client, run, { folder }),
  bundle: (client, folder) => writeBundle(client, runs, folder),
}

/** Answers as the scripted client does, until it is asked for its second page of episodes. */
function breakingClient(): Client {
  const client = scriptedClient()
  return {
    ...client,
    compare: () => Promise.reject(new Error('not asked for')),
    episodes: (id, query) =>
      query.after === undefined ? client.episodes(id, query) : Promise.reject(new Error('connection lost')),
  }
}

describe.each(Object.entries(exporters))('a download as %s', (_, write) => {
  test('leaves nothing under a final name when it breaks, and no folder that it made', async () => {
    const parent = await temporaryFolder()
    const folder = join(parent, 'out')
    const broken = fillFolder(folder, (aside) => write(breakingClient(), aside))
    await expect(broken).rejects.toThrow('connection lost')
    expect(await readdir(parent)).toEqual([])
  })

  test('keeps an earlier whole one when it breaks', async () => {
    const folder = await temporaryFolder()
    const client: Client = { ...scriptedClient(), compare: breakingClient().compare }
    await fillFolder(folder, (aside) => write(client, aside))
    const names = await readdir(folder, { recursive: true })
    expect(names.length).toBeGreaterThan(0)
    await expect(fillFolder(folder, (aside) => write(breakingClient(), aside))).rejects.toThrow()
    expect(await readdir(folder, { recursive: true })).toEqual(names)
  })
})

test('half of a surrogate pair in what an older version stored is U+FFFD in Inspect logs and ATIF', async () => {
  const folder = await temporaryFolder()
  const client = scriptedClient()
  const odd: ExportClient = {
    ...client,
    async trajectory(id, episode) {
      const trajectory = await client.trajectory(id, episode)
      return { ...trajectory, steps: trajectory.steps.map((step) => ({ ...step, message: 'half \ud83d' })) }
    },
  }
  const { files } = await writeTrajectories(odd, run, { folder })
  expect(await readFile(join(folder, files[0] ?? ''), 'utf8')).not.toContain('\\ud83d')
  const { file } = await writeInspectLog(odd, run, { folder, address: null })
  const archive = await readFile(join(folder, file))
  const samples = entriesOf(archive)
  expect(samples.some((text) => text.includes('half \uFFFD'))).toBe(true)
  expect(samples.join('')).not.toContain('\\ud83d')
})

/** The deflated entries of a ZIP archive, as texts. */
function entriesOf(archive: Buffer): string[] {
  const texts: string[] = []
  for (let at = archive.indexOf('PK\x03\x04'); at !== -1; at = archive.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
    texts.push(inflateRawSync(archive.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }).toString())
  }
  return texts
}

test('files of others stay, and files of the same name are replaced', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'runs'))
  await writeFile(join(folder, 'runs', 'notes.txt'), 'mine')
  await writeFile(join(folder, 'index.html'), 'old')
  await fillFolder(folder, async (aside) => {
    await mkdir(join(aside, 'runs'))
    await writeFile(join(aside, 'runs', 'a.html'), 'a')
    await writeFile(join(aside, 'index.html'), 'new')
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('old')
  })
  const names = await readdir(folder, { recursive: true })
  expect(names.toSorted()).toEqual(['index.html', 'runs', 'runs/a.html', 'runs/notes.txt'])
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('new')
})

test('the unfinished files of a process that was killed are removed a day later', async () => {
  const folder = await temporaryFolder()
  for (const name of ['.partial-old', '.partial-new']) await mkdir(join(folder, name))
  const before = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(folder, '.partial-old'), before, before)
  await fillFolder(folder, async () => {})
  expect(await readdir(folder)).toEqual(['.partial-new'])
})

test('a text replaces a file when it is whole, and is written through a link', async () => {
  const folder = await temporaryFolder()
  const [file, link] = [join(folder, 'report.csv'), join(folder, 'link.csv')]
  await writeTextFile(file, 'one')
  await symlink(file, link)
  await writeTextFile(link, 'two')
  expect(await readFile(file, 'utf8')).toBe('two')
  expect((await readdir(folder)).toSorted()).toEqual(['link.csv', 'report.csv'])
  await expect(writeTextFile(join(folder, 'none', 'report.csv'), '')).rejects.toThrow('ENOENT')
})
