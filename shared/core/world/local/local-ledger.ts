import { EspalierError } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import { applyChange, conditionsHold } from '../apply-change.ts'
import { checkKey } from '../check-key.ts'
import type { DamageBook } from '../damage-book.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey, OnDamagedItem } from '../ports.ts'
import type { Database } from './database.ts'
import { keyRange } from './key-range.ts'
import { type ItemRow, LedgerRows } from './ledger-rows.ts'
import { FigureRows } from './run-figures.ts'
import type { TreeCheck } from './tree-check.ts'

/** DynamoDB's limits, so that data accepted here is accepted there. */
const maxItemBytes = 400 * 1024
const maxChanges = 100
const defaultLimit = 1000

type UpdateResult = { ok: true; item: LedgerItem | null } | { ok: false; item: LedgerItem | null }
type TransactResult = { ok: true } | { ok: false; failed: number }

/** Items as JSON texts in one SQLite table. An expired item is absent; it is removed when the database opens. */
export class LocalLedger implements Ledger {
  readonly #database: Database
  readonly #rows: LedgerRows
  readonly #figures: FigureRows

  constructor(database: Database, damage: DamageBook, trees: TreeCheck) {
    this.#database = database
    this.#rows = new LedgerRows(database, damage, trees)
    this.#figures = new FigureRows((sql) => database.prepare(sql))
  }

  async get(key: LedgerKey): Promise<LedgerItem | null> {
    return this.#database.readInTurn(() => this.#read(key)?.item ?? null)
  }

  async update(change: LedgerChange): Promise<UpdateResult> {
    const asked = copy(change)
    return this.#database.write((): UpdateResult => {
      const stored = this.#read(asked.key)
      const item = stored?.item ?? null
      if (!conditionsHold(item, asked.if)) return { ok: false, item }
      const next = applyChange(item, asked)
      this.#write(asked, stored, next)
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
      // All changes are decided before any is written, so a change that fails has nothing to undo.
      const stored = asked.map(({ key }) => this.#read(key))
      const itemAt = (at: number) => stored[at]?.item ?? null
      const failed = asked.findIndex(({ if: conditions }, at) => !conditionsHold(itemAt(at), conditions))
      if (failed >= 0) return { ok: false, failed }
      const next = asked.map((change, at) => applyChange(itemAt(at), change))
      for (const [at, change] of asked.entries()) this.#write(change, stored[at] ?? null, next[at] ?? null)
      return { ok: true }
    })
  }

  async query(
    partition: string,
    options: {
      prefix?: string
      after?: string
      limit?: number
      reverse?: boolean
      onDamaged?: OnDamagedItem
    } = {},
  ): Promise<{ items: { sort: string; item: LedgerItem }[]; more: boolean }> {
    const { prefix = '', after, limit = defaultLimit, reverse = false, onDamaged } = options
    const range = keyRange(prefix, after, reverse)
    const now = Date.now()
    const isWanted = (stored: ItemRow) => isLiving(stored, now)
    const items = await this.#database.readInTurn(() =>
      this.#rows.scan(partition, range, { reverse, limit: limit + 1, isWanted, onDamaged }),
    )
    return { items: items.slice(0, limit), more: items.length > limit }
  }

  async removeExpired(): Promise<void> {
    await this.#database.write(() => this.#rows.removeExpired(Date.now()))
  }

  #read(key: LedgerKey): ItemRow | null {
    const stored = this.#rows.find(key)
    return stored !== null && isLiving(stored, Date.now()) ? stored : null
  }

  #write({ key, expires_at }: LedgerChange, before: ItemRow | null, item: LedgerItem | null): void {
    if (item === (before?.item ?? null)) return
    this.#figures.change(key, before?.item ?? null, item)
    if (item === null) {
      this.#rows.delete(key)
      return
    }
    const text = JSON.stringify(item)
    if (text.length * 3 > maxItemBytes && Buffer.byteLength(text) > maxItemBytes) {
      throw new EspalierError(
        'body_too_large',
        `The item ${key.partition} ${key.sort} would have more than ${maxItemBytes} bytes: keep what is large in objects.`,
      )
    }
    const until = expires_at === undefined ? (before?.expires_at ?? null) : Math.ceil(expires_at)
    this.#rows.place(key, text, until)
  }
}

function isLiving({ expires_at }: ItemRow, now: number): boolean {
  return expires_at === null || expires_at > now
}

/** Checks a change and copies it: the caller may go on using its objects while the change waits. */
function copy(change: LedgerChange): LedgerChange {
  checkKey('the partition of an item', change.key.partition, 2048)
  checkKey('the sort key of an item', change.key.sort, 1024)
  const { set } = change
  return set === undefined ? change : { ...change, set: copyItem(set) }
}

/**
 * Equivalent to `JSON.parse(JSON.stringify(item))`; most items are flat, and copying those takes a tenth of the time.
 */
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
