import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { PackFile } from '../../../shared/environments/data-pack.ts'
import { openDataPacks } from '../../../shared/environments/data-packs/open-data-packs.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

async function openStore() {
  const world = await openTestWorld()
  const time = { now: Date.parse('2026-01-01') }
  const clock = { ...world.clock, now: () => time.now++ }
  return { world, store: openDataPacks({ ...world, clock }) }
}

async function* filesOf(texts: Record<string, string>): AsyncGenerator<PackFile> {
  for (const [path, text] of Object.entries(texts)) yield { path, body: Buffer.from(text) }
}

const games = { 'a.txt': 'one', 'deep/b.txt': 'two' }
const pack = (name: string, environment = 'toy') => ({ environment, name })

test('what was added is listed, opened and read', async () => {
  const { store } = await openStore()
  const stored: string[] = []
  const row = await store.add(pack('first'), filesOf(games), ({ path }) => stored.push(path))
  expect(row).toMatchObject({ environment: 'toy', name: 'first', files: 2, size: 6 })
  expect(stored.sort()).toEqual(['a.txt', 'deep/b.txt'])
  expect(await store.list()).toEqual([row])
  const opened = await store.open('toy', row.digest)
  expect(opened).toMatchObject({ digest: row.digest, name: 'first', files: ['a.txt', 'deep/b.txt'] })
  expect(Buffer.from(await opened.read('deep/b.txt')).toString()).toBe('two')
})

test('the digest names the content: not the name, the order of files, or the time', async () => {
  const { store } = await openStore()
  const first = await store.add(pack('first'), filesOf(games))
  const swapped = Object.fromEntries(Object.entries(games).reverse())
  const again = await store.add(pack('again'), filesOf(swapped))
  expect(again.digest).toBe(first.digest)
  expect((await store.list()).map(({ name }) => name)).toEqual(['again'])
  const other = await store.add(pack('other'), filesOf({ ...games, 'a.txt': 'One' }))
  expect(other.digest).not.toBe(first.digest)
})

test('the pack that was added last comes first, also when it was there before, and each environment has its own', async () => {
  const { store } = await openStore()
  await store.add(pack('first'), filesOf({ a: '1' }))
  await store.add(pack('second'), filesOf({ a: '2' }))
  await store.add(pack('elsewhere', 'game'), filesOf({ a: '3' }))
  expect((await store.list('toy')).map(({ name }) => name)).toEqual(['second', 'first'])
  await store.add(pack('first'), filesOf({ a: '1' }))
  expect((await store.list('toy')).map(({ name }) => name)).toEqual(['first', 'second'])
  expect((await store.list()).map(({ name }) => name)).toEqual(['first', 'elsewhere', 'second'])
})

test('a pack that was removed is listed no more, and runs that name it can still read it', async () => {
  const { store } = await openStore()
  const { digest } = await store.add(pack('first'), filesOf(games))
  await store.remove('toy', digest)
  expect(await store.list()).toEqual([])
  expect(Buffer.from(await (await store.open('toy', digest)).read('a.txt')).toString()).toBe('one')
  await expect(store.remove('toy', digest)).rejects.toMatchObject({ code: 'not_found' })
})

test('packs and files that do not exist are said to be missing', async () => {
  const { store } = await openStore()
  const { digest } = await store.add(pack('first'), filesOf(games))
  await expect(store.open('toy', 'ffff')).rejects.toMatchObject({ code: 'not_found', param: 'data' })
  await expect(store.open('game', digest)).rejects.toMatchObject({ code: 'not_found' })
  const opened = await store.open('toy', digest)
  for (const path of ['c.txt', '../a.txt', 'constructor']) {
    await expect(opened.read(path)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test.each([
  ['cut off', (body: Uint8Array) => body.subarray(0, 5)],
  ['replaced', () => gzipSync('another game')],
])(
  'a file that was %s in the storage is never played, and adding the pack again mends it',
  async (_how, damage) => {
    const { store, world } = await openStore()
    const { digest } = await store.add(pack('first'), filesOf({ 'a.txt': 'one' }))
    const { objects: stored } = await world.objects.list('packs/toy/files/')
    for (const { key } of stored) {
      await world.objects.put(key, damage((await world.objects.get(key))?.body ?? Buffer.from('')))
    }
    const opened = await store.open('toy', digest)
    await expect(opened.read('a.txt')).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/a\.txt.*Add the pack again/),
    })
    await store.add(pack('first'), filesOf({ 'a.txt': 'one' }))
    expect(Buffer.from(await opened.read('a.txt')).toString()).toBe('one')
  },
)

test('a pack that breaks off while it is added is not there', async () => {
  const { store } = await openStore()
  async function* broken(): AsyncGenerator<PackFile> {
    yield* filesOf(games)
    throw new Error('The disk is gone.')
  }
  await expect(store.add(pack('first'), broken())).rejects.toThrow('The disk is gone.')
  expect(await store.list()).toEqual([])
})
