import type { StatementSync } from 'node:sqlite'
import { EspalierError } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import { applyChange, conditionsHold } from '../apply-change.ts'
import { checkKey } from '../check-key.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../ports.ts'
import type { Database } from './database.ts'
import { keyRange } from './key-range.ts'

/** DynamoDB's limits, so that what runs here runs there. */
const maxItemBytes = 400 * 1024
const maxChanges = 100
const defaultLimit = 1000

const living = '(expires_at is null or expires_at > ?)'

type UpdateResult = { ok: true; item: LedgerItem | null } | { ok: false; item: LedgerItem | null }
type TransactResult = { ok: true } | { ok: false; failed: number }

/** Items as JSON texts in one SQLite table. An item whose time is over is absent; it goes when the database opens. */
export class LocalLedger implements Ledger {
  readonly #database: Database
  readonly #find: StatementSync
  readonly #place: StatementSync
  readonly #delete: StatementSync
  readonly #forward: StatementSync
  readonly #backward: StatementSync
  readonly #expire: StatementSync

  constructor(database: Database) {
    this.#database = database
    this.#find = database.prepare(`select item from ledger where partition = ? and sort = ? and ${living}`)
    this.#place = database.prepare(
      `insert into ledger (partition, sort, item, expires_at) values (?, ?, ?, ?)
       on conflict (partition, sort) do update set item = excluded.item,
         expires_at = coalesce(excluded.expires_at, iif(expires_at > ?, expires_at, null))`,
    )
    this.#delete = database.prepare('delete from ledger where partition = ? and sort = ?')
    this.#expire = database.prepare('delete from ledger where expires_at <= ?')
    const scan = `select sort, item from ledger where partition = ? and sort >= ? and sort < ? and ${living} order by sort`
    this.#forward = database.prepare(`${scan} limit ?`)
    this.#backward = database.prepare(`${scan} desc limit ?`)
  }

  async get(key: LedgerKey): Promise<LedgerItem | null> {
    return this.#database.read(() => this.#read(key))
  }

  async update(change: LedgerChange): Promise<UpdateResult> {
    const asked = copy(change)
    return this.#database.write((): UpdateResult => {
      const item = this.#read(asked.key)
      if (!conditionsHold(item, asked.if)) return { ok: false, item }
      const next = applyChange(item, asked)
      this.#write(asked, item, next)
      return { ok: true, item: next }
    })
  }

  async transact(changes: LedgerChange[]): Promise<TransactResult> {
    const asked = changes.map(copy)
    const keys = new Set(
      asked.map(({ key: { partition, sort } }) => `${partition.length} ${partition}${sort}`),
    )
    if (asked.length > maxChanges || keys.size < asked.length) {
      throw new TypeError(`A transaction changes at most ${maxChanges} items, each once.`)
    }
    return this.#database.write((): TransactResult => {
      // All is decided before anything is written, so a change that fails has nothing to undo.
      const items = asked.map(({ key }) => this.#read(key))
      const failed = asked.findIndex(
        ({ if: conditions }, at) => !conditionsHold(items[at] ?? null, conditions),
      )
      if (failed >= 0) return { ok: false, failed }
      const next = asked.map((change, at) => applyChange(items[at] ?? null, change))
      for (const [at, change] of asked.entries()) this.#write(change, items[at] ?? null, next[at] ?? null)
      return { ok: true }
    })
  }

  async query(
    partition: string,
    options: { prefix?: string; after?: string; limit?: number; reverse?: boolean } = {},
  ): Promise<{ items: { sort: string; item: LedgerItem }[]; more: boolean }> {
    const { prefix = '', after, limit = defaultLimit, reverse = false } = options
    const { lower, upper } = keyRange(prefix, after, reverse)
    const scan = reverse ? this.#backward : this.#forward
    const rows = this.#database.read(() => scan.all(partition, lower, upper, Date.now(), limit + 1))
    const items = rows.slice(0, limit).map(({ sort, item }) => ({
      sort: String(sort),
      item: JSON.parse(String(item)) as LedgerItem,
    }))
    return { items, more: rows.length > limit }
  }

  /** Removes the items whose time is over. */
  async removeExpired(): Promise<void> {
    await this.#database.write(() => this.#expire.run(Date.now()))
  }

  #read({ partition, sort }: LedgerKey): LedgerItem | null {
    const row = this.#find.get(partition, sort, Date.now())
    return row === undefined ? null : (JSON.parse(String(row.item)) as LedgerItem)
  }

  #write(
    { key: { partition, sort }, expires_at }: LedgerChange,
    before: LedgerItem | null,
    item: LedgerItem | null,
  ): void {
    if (item === before) return
    if (item === null) {
      this.#delete.run(partition, sort)
      return
    }
    const text = JSON.stringify(item)
    if (text.length * 3 > maxItemBytes && Buffer.byteLength(text) > maxItemBytes) {
      throw new EspalierError(
        'body_too_large',
        `The item ${partition} ${sort} would have more than ${maxItemBytes} bytes: keep what is large in objects.`,
      )
    }
    this.#place.run(
      partition,
      sort,
      text,
      expires_at === undefined ? null : Math.ceil(expires_at),
      Date.now(),
    )
  }
}

/** Checks a change and keeps it as it is now: the caller may go on using its objects while the change waits. */
function copy(change: LedgerChange): LedgerChange {
  checkKey('the partition of an item', change.key.partition, 2048)
  checkKey('the sort key of an item', change.key.sort, 1024)
  const { set } = change
  return set === undefined ? change : { ...change, set: copyItem(set) }
}

/** What `JSON.parse(JSON.stringify(item))` gives; most items are flat, which is copied for a tenth of the time. */
function copyItem(item: LedgerItem): LedgerItem {
  const copied: LedgerItem = { ...item }
  for (const [attribute, value] of Object.entries(copied)) {
    if (isPlain(value)) continue
    if (!Array.isArray(value) || !value.every(isPlain)) return JSON.parse(JSON.stringify(item)) as LedgerItem
    copied[attribute] = [...value]
  }
  return copied
}

function isPlain(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)
}
