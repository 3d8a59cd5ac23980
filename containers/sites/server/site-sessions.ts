import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLTagStore } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { EspalierError } from '../../../shared/contracts/errors.ts'

/** A copy of a site: everything that one visitor can change. */
export interface SiteSession {
  /** Statements on the copy's database, as tagged templates; they are prepared once. */
  readonly sql: SQLTagStore
  readonly database: DatabaseSync
  /** What the next page says once, such as that an order was taken. */
  notice: string | null
}

/** The state of a copy: the digest of its database's image, which the site keeps, and what the next page says once. */
export const siteStateSchema = z.strictObject({ image: z.string(), notice: z.string().nullable() })

export type SiteState = z.infer<typeof siteStateSchema>

/** Images of databases that are kept for states, of some 80 kB each; above that, the ones that were longest unused are dropped. */
const mostImages = 500

/** The key of the copy that visitors without a key share: a person with a browser. */
export const sharedKey = ''
const keyPattern = /^[\w.-]{1,100}$/

/**
 * The copies of one site, by key. A copy is made from a serialized image of the filled database, in memory, in well under a
 * millisecond, so that each episode, and each return to an earlier state, can have a fresh one.
 */
export class SiteSessions {
  readonly #image: Uint8Array
  /** Of databases at states that were read, by digest. */
  readonly #images = new LRUCache<string, Uint8Array>({ max: mostImages })
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
   * @param state that the copy begins with, as {@link state} gave it; by default as the site is at first
   * @throws EspalierError `invalid_request` for a key with other characters than letters, digits, `_`, `-` and `.`; `not_found`
   * for a state that is not kept any more
   */
  reset(key: string, state?: SiteState): SiteSession {
    if (key !== sharedKey && !keyPattern.test(key)) {
      throw new EspalierError(
        'invalid_request',
        'A session key has 1 to 100 letters, digits, "_", "-" or ".". Send another one.',
        { param: 'session' },
      )
    }
    const image = state === undefined ? this.#image : this.#imageOf(state)
    this.close(key)
    const database = new DatabaseSync(':memory:')
    database.deserialize(image)
    database.exec('pragma foreign_keys = on')
    const session: SiteSession = {
      database,
      sql: database.createTagStore(),
      notice: state?.notice ?? null,
    }
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

  /** The state of a key's copy, to begin another with it; undefined where the key has none. */
  state(key: string): SiteState | undefined {
    const session = this.#sessions.get(key)
    if (session === undefined) return undefined
    const bytes = session.database.serialize()
    const image = createHash('sha256').update(bytes).digest('hex')
    if (this.#images.get(image) === undefined) this.#images.set(image, bytes)
    return { image, notice: session.notice }
  }

  /** @returns whether the key had a copy */
  close(key: string): boolean {
    this.#sessions.get(key)?.database.close()
    return this.#sessions.delete(key)
  }

  closeAll(): void {
    for (const key of [...this.#sessions.keys()]) this.close(key)
  }

  #imageOf({ image }: SiteState): Uint8Array {
    const bytes = this.#images.get(image)
    if (bytes === undefined) {
      throw new EspalierError(
        'not_found',
        'The state is not kept any more. Reset the copy, and take its steps again.',
        { param: 'state' },
      )
    }
    return bytes
  }

  #closeUnused(): void {
    for (const key of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#most) return
      if (key !== sharedKey) this.close(key)
    }
  }
}
