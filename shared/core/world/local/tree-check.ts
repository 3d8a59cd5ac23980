import { statSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'
import type { DamageBook } from '../damage-book.ts'
import type { Database } from './database.ts'

/** A larger database is read on a thread of its own: 250 MB take a second. Bytes. */
const checkedHere = 64 * 1024 * 1024

export type CheckedTable = 'objects' | 'ledger'

const tables: readonly CheckedTable[] = ['objects', 'ledger']
/** Damage of one row, which its checksum finds; or of pages that no tree uses. */
const noFault =
  /^ok$|^\*\*\* in database|overflow list length|NUMERIC value|TEXT value|NULL value|: never used|Freelist/

/** Lines of SQLite's check by the table that they are about; `null` for all tables together. */
type Checked = [table: CheckedTable | null, lines: string[]][]

const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const sqlite = new DatabaseSync(workerData.path, { readOnly: true, timeout: 5000 })
parentPort.postMessage((${quickCheck})(sqlite, workerData.tables))
sqlite.close()`

/**
 * Checks all tables, then each alone if anything was found: damage can end the check of all early, and not every line
 * names its table. The text of this function runs on a thread too, so it uses its arguments alone.
 */
function quickCheck(sqlite: Pick<Database, 'prepare'>, each: readonly CheckedTable[]): Checked {
  const check = (argument: string | number): string[] => {
    const lines: string[] = []
    try {
      for (const row of sqlite.prepare(`pragma quick_check(${argument})`).iterate())
        lines.push(...String(row.quick_check).split('\n'))
    } catch (error) {
      lines.push(`the check of its pages broke off: ${error instanceof Error ? error.message : error}`)
    }
    return lines
  }
  const all = check(100)
  const isSound = all.every((line) => line === 'ok')
  return [[null, all], ...(isSound ? [] : each.map((table): Checked[number] => [table, check(table)]))]
}

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

  isWhole(table: CheckedTable): boolean {
    const faults = this.#read()
    return faults !== null && !faults.has(table)
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #read(): ReadonlyMap<string, string> | null {
    if (this.#faults === null && this.#isHere) {
      this.#faults = this.#faultsOf(quickCheck(this.#database, tables))
    }
    return this.#faults
  }

  #startThread(): void {
    const workerData = { path: this.#database.path, tables }
    const thread = new Worker(program, { eval: true, workerData })
    thread.unref()
    thread.once('message', (checked: Checked) => {
      this.#faults = this.#faultsOf(checked)
    })
    // A database that cannot be read fails each query by itself.
    thread.once('error', () => undefined)
    this.#thread = thread
  }

  #faultsOf(checked: Checked): Map<string, string> {
    const faults = new Map<string, string>()
    const found = checked.flatMap(([table, lines]) =>
      lines.filter((line) => !noFault.test(line)).map((line) => ({ table, line })),
    )
    if (found.length === 0) return faults
    const trees = this.#tablesByTree()
    for (const { table, line } of found) {
      const tree = /Tree (\d+)/.exec(line)?.[1] ?? /\bindex (\w+)/.exec(line)?.[1]
      const about = tree === undefined ? table : trees.get(tree)
      if (about && !faults.has(about)) faults.set(about, line)
    }
    return faults
  }

  /** The table of each tree that leads to rows by their keys, by root page and by name: of the others no absent row depends. */
  #tablesByTree(): Map<string, string> {
    const rows = this.#database
      .prepare(
        `select tbl_name, name, rootpage from sqlite_schema
         where tbl_name in ('objects', 'ledger') and (type = 'table' or name like 'sqlite_autoindex_%')`,
      )
      .all()
    return new Map(
      rows.flatMap(({ rootpage, name, tbl_name }) =>
        [rootpage, name].map((tree): [string, string] => [String(tree), String(tbl_name)]),
      ),
    )
  }
}
