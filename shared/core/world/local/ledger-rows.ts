import type { StatementSync } from 'node:sqlite'
import type { DamageBook } from '../damage-book.ts'
import type { LedgerItem, LedgerKey, OnDamagedItem } from '../ports.ts'
import type { Database } from './database.ts'
import { compareBytes, type KeyRange } from './key-range.ts'
import { itemCrcs, rowCrc } from './row-crc.ts'
import type { TreeCheck } from './tree-check.ts'

interface KeyRow {
  partition: string
  sort: string
  key_crc: number | null
}

interface Row extends KeyRow {
  item: string
  expires_at: number | null
  crc: number | null
}

export interface ItemRow {
  item: LedgerItem
  expires_at: number | null
}

const columns = 'partition, sort, key_crc, crc, item, expires_at'

/**
 * The table of items. Call it within the database's `read` and `write`. Keys and items have checksums, compared on
 * every read. An absent item, and the end of a scan, are believed only if the rows on both sides are in order and the
 * table's pages are whole.
 */
export class LedgerRows {
  readonly #damage: DamageBook
  readonly #trees: TreeCheck
  readonly #find: StatementSync
  readonly #place: StatementSync
  readonly #delete: StatementSync
  readonly #forward: StatementSync
  readonly #backward: StatementSync
  readonly #next: StatementSync
  readonly #previous: StatementSync
  readonly #expired: StatementSync

  constructor(database: Database, damage: DamageBook, trees: TreeCheck) {
    this.#damage = damage
    this.#trees = trees
    this.#find = database.prepare(`select ${columns} from ledger where partition = ? and sort = ?`)
    this.#place = database.prepare(
      `insert into ledger (${columns}) values (?, ?, ?, ?, ?, ?)
       on conflict (partition, sort) do update set key_crc = excluded.key_crc, crc = excluded.crc,
         item = excluded.item, expires_at = excluded.expires_at`,
    )
    this.#delete = database.prepare('delete from ledger where partition = ? and sort = ?')
    const [after, before] = ['(partition, sort) >= (?, ?)', '(partition, sort) < (?, ?)']
    // A comparison of pairs is tested again on each row: a scan by it would pass over rows whose keys are damaged.
    const within = `select ${columns} from ledger where partition = ? and sort`
    this.#forward = database.prepare(`${within} >= ? order by sort`)
    this.#backward = database.prepare(`${within} < ? order by sort desc`)
    const key = 'select partition, sort, key_crc from ledger'
    this.#next = database.prepare(`${key} where ${after} order by partition, sort limit 1`)
    this.#previous = database.prepare(`${key} where ${before} order by partition desc, sort desc limit 1`)
    this.#expired = database.prepare(`select ${columns} from ledger where expires_at <= ?`)
  }

  /** The item, expired or not. @throws EspalierError `damaged_object`: the row, or its neighbours */
  find({ partition, sort }: LedgerKey): ItemRow | null {
    const row = this.#find.get(partition, sort) as unknown as Row | undefined
    if (row !== undefined) return this.#read(row)
    for (const isBefore of [true, false]) this.#neighbour(isBefore, partition, sort)
    this.#trees.confirm('ledger')
    return null
  }

  place({ partition, sort }: LedgerKey, item: string, expires_at: number | null): void {
    const { key, whole } = itemCrcs({ partition, sort }, item, expires_at)
    this.#place.run(partition, sort, key, whole, item, expires_at)
  }

  delete({ partition, sort }: LedgerKey): void {
    this.#delete.run(partition, sort)
  }

  /**
   * The items of a partition in a range, in order, those with `isWanted`, at most `limit`.
   * @throws EspalierError `damaged_object`: one of the rows, or its neighbours
   */
  scan(
    partition: string,
    { lower, upper }: KeyRange,
    options: {
      reverse: boolean
      limit: number
      isWanted: (row: ItemRow) => boolean
      onDamaged?: OnDamagedItem | undefined
    },
  ): { sort: string; item: LedgerItem }[] {
    const { reverse, limit, isWanted, onDamaged } = options
    const start = reverse ? upper : lower
    const isPast = reverse
      ? ({ sort }: KeyRow) => compareBytes(sort, lower) < 0
      : ({ sort }: KeyRow) => typeof upper === 'string' && compareBytes(sort, upper) >= 0
    const found: { sort: string; item: LedgerItem }[] = []
    if (limit === 0) return found
    this.#trees.confirm('ledger')
    const beside = this.#neighbour(!reverse, partition, start)
    let last = beside
    const rows = (reverse ? this.#backward : this.#forward).iterate(partition, start)
    for (const row of rows as Iterable<unknown> as Iterable<Row>) {
      // Its key is compared with the checksum as the row is read.
      if (last !== undefined && order(last, row) >= 0 !== reverse) throw this.#misplaced(row)
      last = row
      if (isPast(row)) {
        if (!isSound(row)) throw this.#misplaced(row)
        return found
      }
      const stored = this.#read(row, onDamaged)
      if (stored === null || !isWanted(stored)) continue
      found.push({ sort: row.sort, item: stored.item })
      if (found.length === limit) return found
    }
    // The row behind the last belongs to another partition, unless its key is damaged.
    const end = last === beside ? start : (last as Row).sort
    this.#neighbour(reverse, partition, reverse || last === beside ? end : `${end}\u0000`)
    return found
  }

  /** The last row before a key, or the first row from it on. @throws EspalierError `damaged_object`: its key */
  #neighbour(isBefore: boolean, partition: string, sort: string | Uint8Array): KeyRow | undefined {
    const row = (isBefore ? this.#previous : this.#next).get(partition, sort) as unknown as KeyRow | undefined
    if (row !== undefined && !isSound(row)) throw this.#misplaced(row)
    return row
  }

  removeExpired(now: number): void {
    for (const row of this.#expired.all(now) as unknown as Row[]) {
      const { key, whole } = itemCrcs(row, String(row.item), row.expires_at)
      if (row.crc === null || (row.key_crc === key && row.crc === whole)) this.delete(row)
    }
  }

  /** The item, or null if it is damaged and `onDamaged` takes the error. */
  #read(row: Row, onDamaged?: OnDamagedItem): ItemRow | null {
    const { key_crc, crc, item, expires_at } = row
    if (crc !== null) {
      const { key, whole } = itemCrcs(row, String(item), expires_at)
      if (key !== key_crc) throw this.#misplaced(row)
      if (whole !== crc) return this.#refuse(row, onDamaged)
    }
    try {
      return { item: JSON.parse(item) as LedgerItem, expires_at }
    } catch (error) {
      // Only rows of version 2, which have no checksum.
      return this.#refuse(row, onDamaged, error)
    }
  }

  #refuse(row: Row, onDamaged?: OnDamagedItem, cause?: unknown): null {
    const error = this.#damage.note(itemName(row), 'it is not what was written', cause)
    if (onDamaged === undefined) throw error
    onDamaged(row.sort, error)
    return null
  }

  #misplaced(row: KeyRow): Error {
    return this.#damage.note(itemName(row), 'its key is not what was written, or stands in another place')
  }
}

function isSound({ partition, sort, key_crc }: KeyRow): boolean {
  return key_crc === null || key_crc === rowCrc([partition, sort])
}

function itemName({ partition, sort }: LedgerKey): string {
  return `the item "${sort}" of "${partition}"`
}

function order(one: LedgerKey, other: LedgerKey): number {
  return compareBytes(one.partition, other.partition) || compareBytes(one.sort, other.sort)
}
