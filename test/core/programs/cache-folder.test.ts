import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheFolder, fillCacheFolder } from '../../../shared/core/programs/cache-folder.ts'

let cache: string

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'espalier-cache-'))
})
afterEach(() => rm(cache, { recursive: true }))

test('the folder is the one asked for, or that of the user', () => {
  expect(cacheFolder({ ESPALIER_CACHE: '/somewhere', XDG_CACHE_HOME: '/caches' })).toBe('/somewhere')
  expect(cacheFolder({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/espalier')
  expect(cacheFolder({})).toBe(join(homedir(), '.cache/espalier'))
})

test('an entry is made once, and again when it no longer works', async () => {
  let made = 0
  const entry = join(cache, 'python/abc')
  const make = async (folder: string) => writeFile(join(folder, 'made'), String(++made))
  const isUsable = async (folder: string) => (await readFile(join(folder, 'made'), 'utf8')) !== 'broken'
  expect(await fillCacheFolder(entry, make, isUsable)).toBe(entry)
  await fillCacheFolder(entry, make, isUsable)
  expect(made).toBe(1)
  await writeFile(join(entry, 'made'), 'broken')
  await fillCacheFolder(entry, make, isUsable)
  expect(await readFile(join(entry, 'made'), 'utf8')).toBe('2')
})

test('those who make an entry at the same time all get a complete one, and leave nothing beside it', async () => {
  const entry = join(cache, 'emulators/abc')
  const make = async (folder: string) => {
    await writeFile(join(folder, 'first'), 'here')
    await wait(20)
    await writeFile(join(folder, 'second'), 'here')
  }
  const completeOf = async () => (await readdir(await fillCacheFolder(entry, make))).toSorted()
  const each = await Promise.all(Array.from({ length: 5 }, completeOf))
  expect(each).toEqual(each.map(() => ['first', 'second']))
  expect(await readdir(join(cache, 'emulators'))).toEqual(['abc'])
})

test('a failure leaves nothing, so that the next attempt starts anew', async () => {
  const entry = join(cache, 'python/abc')
  const failing = async (folder: string) => {
    await writeFile(join(folder, 'half'), '')
    throw new Error('no network')
  }
  await expect(fillCacheFolder(entry, failing)).rejects.toThrow('no network')
  expect(await readdir(join(cache, 'python'))).toEqual([])
  await fillCacheFolder(entry, async () => undefined)
  expect(await readdir(entry)).toEqual([])
})
