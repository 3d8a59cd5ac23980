import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLTagStore } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'

export interface SiteSession {
  readonly sql: SQLTagStore
  readonly database: DatabaseSync
  notice: string | null
}

export const siteStateSchema = z.strictObject({ image: z.string(), notice: z.string().nullable() })

export type SiteState = z.infer<typeof siteStateSchema>

/** Maximum stored images of databases, of some 80 kB each. Beyond it, the least recently used are dropped. */
const mostImages = 500

export const sharedKey = ''
const keyPattern = /^[\w.-]{1,100}$/

/**
 * The copies of one site, by key. A copy is created from a serialized image of the filled database, in memory, in
 * well under a millisecond. So each episode, and each return to an earlier state, can have a fresh one.
 */
export class SiteSessions {
  readonly #image: Uint8Array
  readonly #images = new LRUCache<string, Uint8Array>({ max: mostImages })
  readonly #most: number
  readonly #sessions = new Map<string, SiteSession>()

  /**
   * @param fill writes the contents of a fresh copy
   * @param most maximum number of copies; beyond it, the least recently used is closed
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
   * Creates a fresh copy for a key, replacing any earlier one.
   * @param state the initial state, from {@link state}; default: the site's initial state
   * @throws EspalierError `invalid_request` for a key with characters other than letters, digits, `_`, `-` and `.`;
   * `not_found` for a state no longer kept
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
   * The copy of a key. A key that was never reset, or whose copy was closed, has none: a fresh copy would pass for
   * the state that the visitor left.
   */
  find(key: string): SiteSession | undefined {
    const session = this.#sessions.get(key)
    if (session === undefined) return undefined
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    return session
  }

  state(key: string): SiteState | undefined {
    const session = this.#sessions.get(key)
    if (session === undefined) return undefined
    const bytes = session.database.serialize()
    const image = createHash('sha256').update(bytes).digest('hex')
    if (this.#images.get(image) === undefined) this.#images.set(image, bytes)
    return { image, notice: session.notice }
  }

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
