import { DatabaseSync, type SQLTagStore } from 'node:sqlite'
import { EspalierError } from '../../../shared/contracts/errors.ts'

/** A copy of a site: everything that one visitor can change. */
export interface SiteSession {
  /** Statements on the copy's database, as tagged templates; they are prepared once. */
  readonly sql: SQLTagStore
  readonly database: DatabaseSync
  /** What the next page says once, such as that an order was taken. */
  notice: string | null
}

/** The key of the copy that visitors without a key share: a person with a browser. */
export const sharedKey = ''
const keyPattern = /^[\w.-]{1,100}$/

/**
 * The copies of one site, by key. A copy is made from a serialized image of the filled database, in memory, in well under a
 * millisecond, so that each episode, and each return to an earlier state, can have a fresh one.
 */
export class SiteSessions {
  readonly #image: Uint8Array
  readonly #most: number
  /** In the order of their last use. */
  readonly #sessions = new Map<string, SiteSession>()

  /**
   * @param fill writes what a fresh copy holds
   * @param most how many copies are kept; above that, the one that was longest unused is closed
   */
  constructor(fill: (database: DatabaseSync) => void, most = 1000) {
    const filled = new DatabaseSync(':memory:')
    filled.exec('begin')
    fill(filled)
    filled.exec('commit')
    this.#image = filled.serialize()
    filled.close()
    this.#most = most
    this.reset(sharedKey)
  }

  get count(): number {
    return this.#sessions.size
  }

  /**
   * Gives a key a fresh copy, whether it had one or not.
   *
   * @throws EspalierError `invalid_request` for a key with other characters than letters, digits, `_`, `-` and `.`
   */
  reset(key: string): SiteSession {
    if (key !== sharedKey && !keyPattern.test(key)) {
      throw new EspalierError(
        'invalid_request',
        'A session key has 1 to 100 letters, digits, "_", "-" or ".". Send another one.',
        { param: 'session' },
      )
    }
    this.close(key)
    const database = new DatabaseSync(':memory:')
    database.deserialize(this.#image)
    database.exec('pragma foreign_keys = on')
    const session: SiteSession = { database, sql: database.createTagStore(), notice: null }
    this.#sessions.set(key, session)
    this.#closeUnused()
    return session
  }

  /**
   * The copy of a key. A key that was never reset, or whose copy was closed, has none: a fresh one in its place would pass for
   * the state that the visitor left.
   */
  find(key: string): SiteSession | undefined {
    const session = this.#sessions.get(key)
    if (session === undefined) return undefined
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    return session
  }

  /** @returns whether the key had a copy */
  close(key: string): boolean {
    this.#sessions.get(key)?.database.close()
    return this.#sessions.delete(key)
  }

  closeAll(): void {
    for (const key of [...this.#sessions.keys()]) this.close(key)
  }

  #closeUnused(): void {
    for (const key of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#most) return
      if (key !== sharedKey) this.close(key)
    }
  }
}
