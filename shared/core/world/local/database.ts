import { type FileHandle, open } from 'node:fs/promises'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Coalesced } from '../coalesced.ts'
import { worldClosed } from '../world-closed.ts'
import { loopTurns } from './loop-turns.ts'
import { prepareSchema } from './schema.ts'
import { failureCode, storageError } from './storage-error.ts'

interface Waiting {
  operation: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Set once another operation in its group threw: it is retried in a transaction of its own. */
  isAlone: boolean
}

/** Longer groups would block the event loop for more than some 20 milliseconds. */
const largestGroup = 1000
/**
 * This many operations do not wait for the end of the turn: when a thousand answers arrive in one turn, the first
 * must not wait for the last.
 */
const fullGroup = 64

const busy = 'SQLITE_5'
/** Milliseconds for which SQLite itself may wait while the file is opened, or recovered after a kill. */
const openPatience = 5000
/** Milliseconds until a write that other processes never leave room for fails. */
const writePatience = 30_000
const betweenTriesMilliseconds = { least: 0.5, most: 4 }
/** Maximum milliseconds that a process leaves to others after a commit; otherwise as long as its transaction took. */
const mostLeftToOthers = 2

/**
 * The SQLite file of a data folder. Writes are grouped: all that arrive in one turn of the event loop share one
 * transaction. A commit only appends to the write-ahead log. Then {@link LogSync} syncs the log to disk, off the
 * event loop, and all earlier commits share that one wait, the main cost of a durable write. A write resolves after
 * the sync. A query may see data committed but not yet on disk; any write based on it follows it in the log, so a
 * loss of power never keeps the later and loses the earlier. Several processes may have the file open. SQLite lets
 * one of them write at a time and has no queue: a process that finds it locked retries in a moment, while its event
 * loop continues, and one that has written leaves the others some time.
 */
export class Database {
  readonly path: string
  readonly #sqlite: DatabaseSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #isShared: boolean
  readonly #log: LogSync
  #waiting: Waiting[] = []
  #scheduled = false
  #notBefore = 0
  #busySince: number | null = null
  #begunAt = 0
  #closing: Promise<void> | null = null
  #drained: (() => void) | null = null

  /**
   * @param options.isShared whether other processes write to it too
   * @throws EspalierError `storage_failed`: not a database, not writable, or written by a newer version
   */
  constructor(path: string, { isShared = false }: { isShared?: boolean } = {}) {
    this.path = path
    this.#isShared = isShared
    let sqlite: DatabaseSync | undefined
    try {
      sqlite = new DatabaseSync(path, { timeout: openPatience })
      prepareSchema(sqlite, path)
      sqlite.exec('pragma busy_timeout = 0')
    } catch (error) {
      if (sqlite?.isOpen) sqlite.close()
      throw storageError(error, 'open', path)
    }
    this.#sqlite = sqlite
    this.#log = new LogSync(`${path}-wal`)
    this.#begin = sqlite.prepare('begin immediate')
    this.#commit = sqlite.prepare('commit')
  }

  prepare(sql: string): StatementSync {
    return this.#sqlite.prepare(sql)
  }

  read<Result>(query: () => Result): Result {
    if (!this.#sqlite.isOpen || this.#closing !== null) throw worldClosed()
    try {
      return query()
    } catch (error) {
      if (failureCode(error) !== busy) throw storageError(error, 'read', this.path)
    }
    return this.#readPatiently(query)
  }

  async readInTurn<Result>(query: () => Result): Promise<Result> {
    const turn = loopTurns.take()
    if (turn !== null) await turn
    return this.read(query)
  }

  /**
   * Runs an operation in the next group and resolves once it is on disk. An operation must depend on the database
   * alone, because it is retried, by itself, if another in its group throws.
   * @throws EspalierError `storage_failed`: the group could not be committed, and none of it was stored; or it could
   * not be synced to disk, and it may or may not be stored.
   */
  write<Result>(operation: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#closing !== null) return reject(worldClosed())
      const settle = { resolve: resolve as (value: unknown) => void, reject }
      this.#waiting.push({ operation, ...settle, isAlone: false })
      if (this.#waiting.length >= fullGroup && performance.now() >= this.#notBefore) this.#flush()
      else this.#schedule()
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain()
      .then(() => this.#log.close())
      .finally(() => this.#sqlite.close())
    return this.#closing
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve
      this.#flush()
      if (this.#waiting.length === 0) resolve()
      else this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    const wait = this.#notBefore - performance.now()
    // A timer lasts a millisecond at least, which would slow down a chain of small writes several times.
    if (wait > 0.5) setTimeout(() => this.#turn(), wait)
    else setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#scheduled = false
    this.#flush()
    if (this.#waiting.length > 0) this.#schedule()
    else this.#drained?.()
  }

  #flush(): void {
    if (this.#waiting.length === 0 || !this.#isBegun()) return
    const group = this.#nextGroup()
    let results: unknown[]
    try {
      results = group.map(({ operation }) => operation())
    } catch (error) {
      this.#rollBack()
      if (group.length === 1) group[0]?.reject(storageError(error, 'write to', this.path))
      else this.#waiting.unshift(...group.map((one) => ({ ...one, isAlone: true })))
      return
    }
    try {
      this.#commit.run()
    } catch (error) {
      this.#rollBack()
      this.#fail(group, error)
      return
    }
    const now = performance.now()
    if (this.#isShared) this.#notBefore = now + Math.min(mostLeftToOthers, now - this.#begunAt)
    this.#log.sync().then(
      () => {
        for (const [index, { resolve }] of group.entries()) resolve(results[index])
      },
      (error: unknown) => this.#fail(group, error),
    )
  }

  /** Begins a transaction. @returns false if it could not: a retry follows, or the pending operations have failed */
  #isBegun(): boolean {
    try {
      this.#begin.run()
      this.#begunAt = performance.now()
      this.#busySince = null
      return true
    } catch (error) {
      const now = performance.now()
      this.#busySince ??= now
      if (failureCode(error) === busy && now - this.#busySince < writePatience) {
        const { least, most } = betweenTriesMilliseconds
        this.#notBefore = now + least + Math.random() * (most - least)
        return false
      }
      this.#busySince = null
      this.#fail(this.#nextGroup(), error)
      return false
    }
  }

  #nextGroup(): Waiting[] {
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone)
    const end = alone < 0 ? this.#waiting.length : Math.max(1, alone)
    return this.#waiting.splice(0, Math.min(end, largestGroup))
  }

  #fail(group: readonly Waiting[], error: unknown): void {
    for (const { reject } of group) reject(storageError(error, 'write to', this.path))
  }

  /** Readers wait only for a process that recovers the file after another was killed, which takes milliseconds. */
  #readPatiently<Result>(query: () => Result): Result {
    try {
      this.#sqlite.exec(`pragma busy_timeout = ${openPatience}`)
      return query()
    } catch (error) {
      throw storageError(error, 'read', this.path)
    } finally {
      this.#sqlite.exec('pragma busy_timeout = 0')
    }
  }

  #rollBack(): void {
    if (this.#sqlite.isTransaction) this.#sqlite.exec('rollback')
  }
}

/**
 * Syncs a growing log to disk, off the event loop: one sync at a time. All callers during one share the next, which
 * begins after all their writes.
 */
class LogSync {
  readonly #path: string
  readonly #waits = new Coalesced()
  #file: Promise<FileHandle> | null = null

  /**
   * @param path of the log, which must exist when {@link sync} is first called, and stay the same file until {@link
   * close}
   */
  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when everything written before the call is on disk. @throws the system's error if that fails */
  sync(): Promise<void> {
    return this.#waits.run(this.#path, () => this.#syncNow())
  }

  async close(): Promise<void> {
    await this.#waits.settled(this.#path)
    await (await this.#file?.catch(() => null))?.close()
  }

  async #syncNow(): Promise<void> {
    this.#file ??= open(this.#path, 'r')
    try {
      await (await this.#file).datasync()
    } catch (error) {
      // The next one opens the file again: it may not have existed yet.
      this.#file = null
      throw error
    }
  }
}
