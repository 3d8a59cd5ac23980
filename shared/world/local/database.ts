import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { worldClosed } from '../world-closed.ts'
import { prepareSchema } from './schema.ts'
import { storageError } from './storage-error.ts'

interface Waiting {
  operation: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Longer groups would keep the event loop for more than some 20 milliseconds. */
const largestGroup = 1000
/**
 * As many operations do not wait for the end of the turn: when a thousand answers arrive in one turn, the first must not
 * wait for the last.
 */
const fullGroup = 64

/**
 * The SQLite file of a data folder. Writes are grouped: all that arrive in one turn of the event loop share one
 * transaction, and so one wait for the disk, which is what a durable write costs.
 */
export class Database {
  readonly path: string
  readonly #sqlite: DatabaseSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #waiting: Waiting[] = []
  #scheduled = false
  #closed = false

  /** @throws EspalierError `storage_failed`: not a database, not writable, or written by a newer version. */
  constructor(path: string) {
    this.path = path
    let sqlite: DatabaseSync | undefined
    try {
      sqlite = new DatabaseSync(path, { timeout: 5000 })
      prepareSchema(sqlite, path)
    } catch (error) {
      if (sqlite?.isOpen) sqlite.close()
      throw storageError(error, 'open', path)
    }
    this.#sqlite = sqlite
    this.#begin = sqlite.prepare('begin immediate')
    this.#commit = sqlite.prepare('commit')
  }

  prepare(sql: string): StatementSync {
    return this.#sqlite.prepare(sql)
  }

  /** Runs a query on what is committed. */
  read<Result>(query: () => Result): Result {
    if (this.#closed) throw worldClosed()
    try {
      return query()
    } catch (error) {
      throw storageError(error, 'read', this.path)
    }
  }

  /**
   * Runs an operation in the next group and answers once it is on disk. An operation must depend on the database alone,
   * because it is run again, by itself, when a neighbour in its group throws.
   *
   * @throws EspalierError `storage_failed`: the group could not be committed, and nothing of it was stored.
   */
  write<Result>(operation: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#closed) return reject(worldClosed())
      this.#waiting.push({ operation, resolve: resolve as (value: unknown) => void, reject })
      if (this.#waiting.length >= fullGroup) this.#flush()
      else this.#schedule()
    })
  }

  /** Commits what waits, then closes the file. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    while (this.#waiting.length > 0) this.#flush()
    this.#sqlite.close()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  #flush(): void {
    if (this.#waiting.length === 0) return
    const group = this.#waiting.slice(0, largestGroup)
    this.#waiting = this.#waiting.slice(largestGroup)
    this.#run(group)
  }

  #run(group: Waiting[]): void {
    let results: unknown[]
    try {
      this.#begin.run()
      results = group.map(({ operation }) => operation())
    } catch (error) {
      this.#rollBack()
      if (group.length > 1) for (const one of group) this.#run([one])
      else group[0]?.reject(storageError(error, 'write to', this.path))
      return
    }
    try {
      this.#commit.run()
    } catch (error) {
      this.#rollBack()
      for (const { reject } of group) reject(storageError(error, 'write to', this.path))
      return
    }
    for (const [index, { resolve }] of group.entries()) resolve(results[index])
  }

  /** SQLite itself has already rolled back after some failures, such as a full disk. */
  #rollBack(): void {
    if (this.#sqlite.isTransaction) this.#sqlite.exec('rollback')
  }
}
