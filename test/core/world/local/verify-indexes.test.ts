import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { verifyStore } from '../../../../shared/core/world/local/verify-store.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const pageBytes = 4096
/** Of the first byte of a page: the last one of an index, and the last one of a table. */
const indexLeaf = 0x0a
const tableLeaf = 0x0d

const keys = Array.from({ length: 200 }, (_, at) => `runs/run-1/episodes/${String(at).padStart(4, '0')}`)
const key = 'runs/run-1/episodes/0120'

test('an object of which the index and the key of its row are damaged is never believed absent', async () => {
  const folder = await folderOfObjects()
  // The page of the index hides the entry of the object, and its row has another key.
  change(folder, (bytes) => {
    hideEntries(bytes, offsetOn(indexLeaf, bytes))
    bytes[offsetOn(tableLeaf, bytes) + key.length - 1] = 'x'.charCodeAt(0)
  })
  expect(await answer(folder)).toBe('damaged_object')
  expect(await verifyStore(folder)).toMatchObject({ reindexed: false })
  expect(await answer(folder)).toBe('damaged_object')
})

test('an index alone that is damaged is made anew, and leads to every object', async () => {
  const folder = await folderOfObjects()
  change(folder, (bytes) => hideEntries(bytes, offsetOn(indexLeaf, bytes)))
  expect(await answer(folder)).toBe('damaged_object')
  expect(await verifyStore(folder)).toMatchObject({ reindexed: true })
  expect(await answer(folder)).toBe('120')
})

test('an object between two pages that cannot be read is found without the index', async () => {
  const folder = await folderOfObjects()
  change(folder, (bytes) => {
    hideEntries(bytes, offsetOn(indexLeaf, bytes))
    for (const beside of ['0060', '0180']) {
      const at = offsetOn(tableLeaf, bytes, `runs/run-1/episodes/${beside}`)
      bytes[at - (at % pageBytes)] = 0xff
    }
  })
  const { damage } = await verifyStore(folder)
  expect(damage).toContainEqual({ kind: 'object', name: key, why: expect.stringContaining('index') })
})

async function folderOfObjects(): Promise<string> {
  const folder = await testFolder()
  const { objects, close } = await openTestWorld(folder)
  for (const [at, each] of keys.entries()) await objects.put(each, Buffer.from(String(at)))
  await close()
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  sqlite.exec('vacuum; pragma wal_checkpoint(truncate)')
  sqlite.close()
  return folder
}

/** The offset of the key on a page of the kind. */
function offsetOn(kind: number, bytes: Buffer, sought = key): number {
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1))
    if (bytes[at - (at % pageBytes)] === kind) return at
  throw new Error(`No page of the kind ${kind} has the key.`)
}

/** Lets the page of an offset say that it has one entry. */
function hideEntries(bytes: Buffer, at: number): void {
  bytes.writeUInt16BE(1, at - (at % pageBytes) + 3)
}

function change(folder: string, edit: (bytes: Buffer) => void): void {
  const path = join(folder, 'espalier.db')
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

/** The body of the object, or the code of the error; null if it is absent. */
async function answer(folder: string): Promise<string | null> {
  const { objects, close } = await openTestWorld(folder)
  try {
    const stored = await objects.get(key)
    return stored && Buffer.from(stored.body).toString()
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    await close()
  }
}
