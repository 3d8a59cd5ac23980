import { statSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'
import type { DamageBook } from '../damage-book.ts'
import type { Database } from './database.ts'

/** A larger database is read on a thread of its own: 250 MB take a second. Bytes. */
const checkedHere = 64 * 1024 * 1024

/** Tables whose absent rows mean something. */
export type CheckedTable = 'objects' | 'ledger'

const query = 'pragma quick_check(100)'
/** Damage of one row, which its checksum finds; or of pages that no tree uses. */
const ofOneRow = /overflow list length|NUMERIC value|TEXT value|NULL value|: never used|Freelist/

const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const sqlite = new DatabaseSync(workerData.path, { readOnly: true, timeout: 5000 })
parentPort.postMessage(sqlite.prepare(workerData.query).all().map((row) => String(row.quick_check)))
sqlite.close()`

/**
 * Says whether the pages of a table lead to all of its rows. A flipped bit in the header of a page can hide rows that no checksum misses,
 * so absent rows and ends of lists are believed only of whole trees. Rows that are there need none of this.
 */
export class TreeCheck {
  readonly #database: Database
  readonly #damage: DamageBook
  /** The first fault of each table; null until the database was read. */
  #faults: Map<string, string> | null = null
  readonly #isHere: boolean
  #thread: Worker | null = null

  /** @param isHolder whether this process checks a large database: one of those that have it open is enough, beside its readers */
  constructor(database: Database, damage: DamageBook, isHolder: boolean) {
    this.#database = database
    this.#damage = damage
    this.#isHere = !isMainThread || statSync(database.path).size <= checkedHere
    if (!this.#isHere && isHolder) this.#startThread()
  }

  /** @throws EspalierError `damaged_object` if rows of the table may be hidden */
  confirm(table: CheckedTable): void {
    const fault = this.#read()?.get(table)
    if (fault === undefined) return
    const name = `the table "${table}" of espalier.db`
    throw this.#damage.note(
      name,
      `entries may be hidden, so lists and absent entries are not believed (${fault})`,
    )
  }

  /** True if all rows of a table are known to be visible. */
  isWhole(table: CheckedTable): boolean {
    const faults = this.#read()
    return faults !== null && !faults.has(table)
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #read(): ReadonlyMap<string, string> | null {
    if (this.#faults === null && this.#isHere) {
      const rows = this.#database.prepare(query).all()
      this.#faults = this.#faultsOf(rows.map((row) => String(row.quick_check)))
    }
    return this.#faults
  }

  #startThread(): void {
    const workerData = { path: this.#database.path, query }
    const thread = new Worker(program, { eval: true, workerData })
    thread.unref()
    thread.once('message', (lines: string[]) => {
      this.#faults = this.#faultsOf(lines)
    })
    // A database that cannot be read fails each query by itself.
    thread.once('error', () => undefined)
    this.#thread = thread
  }

  #faultsOf(lines: readonly string[]): Map<string, string> {
    const faults = new Map<string, string>()
    const found = lines
      .flatMap((line) => line.split('\n'))
      .filter((line) => line !== 'ok' && !ofOneRow.test(line))
    if (found.length === 0) return faults
    const tables = this.#tablesByRoot()
    for (const line of found) {
      const root = Number(/Tree (\d+)/.exec(line)?.[1])
      const table = tables.get(root)
      if (table !== undefined && !faults.has(table)) faults.set(table, line)
    }
    return faults
  }

  /** The table of each root page that leads to rows by their keys: of the others no absent row depends. */
  #tablesByRoot(): Map<number, string> {
    const rows = this.#database
      .prepare(
        `select tbl_name, rootpage from sqlite_schema
         where tbl_name in ('objects', 'ledger') and (type = 'table' or name like 'sqlite_autoindex_%')`,
      )
      .all()
    return new Map(rows.map(({ rootpage, tbl_name }) => [Number(rootpage), String(tbl_name)]))
  }
}
