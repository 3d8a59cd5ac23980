import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { LedgerKey } from '../../../../shared/core/world/ports.ts'

/** A bit that was flipped: in the database, or in the file of a body. */
export interface FlippedBit {
  file: string
  at: number
}

const pageBytes = 4096
/** The page of the database that says which tables there are: without it nothing can be asked. Bytes. */
const firstPage = pageBytes
/** A page's own figures, and the first of the pointers to its entries. Bytes. */
const pageHeader = 24

/**
 * Flips bits of a data folder that no process has open: anywhere in its database, its first page aside, and its bodies, chosen by
 * the seed.
 */
export function flipBits(folder: string, count: number, seed: number): FlippedBit[] {
  const random = seededRandom(seed)
  const bodies = readdirSync(join(folder, 'bodies')).map((name) => join('bodies', name))
  const files = ['espalier.db', ...bodies].map((file) => ({ file, size: statSync(join(folder, file)).size }))
  const total = files.reduce((sum, { size }) => sum + size, 0)
  return Array.from({ length: count }, () => {
    let at = firstPage + Math.floor(random() * (total - firstPage))
    const { file } = files.find(({ size }) => {
      if (at < size) return true
      at -= size
      return false
    }) ?? { file: 'espalier.db' }
    flip(join(folder, file), at, Math.floor(random() * 8))
    return { file, at }
  })
}

/**
 * Flips one bit in the header of a page of the database, where it says how many entries it has and where they lie. The page is never the
 * first.
 */
export function flipPageHeader(folder: string, seed: number): FlippedBit {
  const random = seededRandom(seed)
  const file = 'espalier.db'
  const pages = statSync(join(folder, file)).size / pageBytes
  const at = (1 + Math.floor(random() * (pages - 1))) * pageBytes + Math.floor(random() * pageHeader)
  flip(join(folder, file), at, Math.floor(random() * 8))
  return { file, at }
}

/** Flips one bit of the page on which the search for any row of a table begins. */
export function flipRootPage(folder: string, table: string, seed: number): FlippedBit {
  const file = 'espalier.db'
  const sqlite = new DatabaseSync(join(folder, file), { readOnly: true })
  const root = sqlite
    .prepare("select rootpage from sqlite_schema where type = 'table' and name = ?")
    .get(table)
  sqlite.close()
  const random = seededRandom(seed)
  const at = (Number(root?.rootpage) - 1) * pageBytes + Math.floor(random() * pageBytes)
  flip(join(folder, file), at, Math.floor(random() * 8))
  return { file, at }
}

/** Flips one bit in the first page of the database: its header, or the words of its schema. */
export function flipFirstPage(folder: string, seed: number): FlippedBit {
  const random = seededRandom(seed)
  const file = 'espalier.db'
  // Half of them in the header's hundred bytes and the page's own.
  const at = Math.floor(random() * (random() < 0.5 ? 124 : pageBytes))
  flip(join(folder, file), at, Math.floor(random() * 8))
  return { file, at }
}

/** Flips a bit in the body of one object, be it in a row or a file, while a service may have the folder open. */
export function flipBody(folder: string, key: string, at: number): void {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  try {
    const row = sqlite.prepare('select file, body from objects where key = ?').get(key)
    if (row === undefined) throw new Error(`There is no object "${key}".`)
    if (typeof row.file === 'string') {
      flip(join(folder, 'bodies', row.file), at, 0)
      return
    }
    const body = row.body as Uint8Array
    body[at] = (body[at] ?? 0) ^ 1
    sqlite.prepare('update objects set body = ? where key = ?').run(body, key)
  } finally {
    sqlite.close()
  }
}

/** Flips a bit in the text of one ledger item, while a service may have the folder open. */
export function flipItem(folder: string, { partition, sort }: LedgerKey): void {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  try {
    const where = 'where partition = ? and sort = ?'
    const row = sqlite.prepare(`select item from ledger ${where}`).get(partition, sort)
    if (row === undefined) throw new Error(`There is no item "${sort}" of "${partition}".`)
    const item = Buffer.from(String(row.item))
    const at = item.length >> 1
    item[at] = (item[at] ?? 0) ^ 1
    sqlite.prepare(`update ledger set item = ? ${where}`).run(item.toString(), partition, sort)
  } finally {
    sqlite.close()
  }
}

function flip(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(path, bytes)
}

/** Flips one bit in the stored key of a ledger item. The item keeps its place, which is then not the place of its key. */
export function flipKey(folder: string, { partition, sort }: LedgerKey, bit: number): void {
  const path = join(folder, 'espalier.db')
  const at = readFileSync(path).indexOf(`${partition}${sort}`)
  if (at < 0) throw new Error(`There is no item "${sort}" of "${partition}".`)
  flip(path, at + (bit >> 3), bit & 7)
}
