import { EspalierError } from '../../contracts/errors.ts'
import type { EndpointKey } from '../endpoint-key.ts'

/** Milliseconds. */
const lifetime = 300_000
const betweenRenewals = 60_000
const failureLasts = 5000
const remembered = 8

/**
 * The key of one endpoint, as it is now. It is read when it is first used, by one reader for all who wait, and kept for
 * five minutes. When the endpoint refuses it, it is read again, at most once a minute: a rotated key needs no restart.
 */
export class KeySource {
  readonly #read: () => Promise<EndpointKey>
  readonly #now: () => number
  /** The keys that were in use, the newest first: the text of a late answer may repeat an old one. */
  readonly #keys: EndpointKey[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #renewedAt = Number.NEGATIVE_INFINITY
  #reading: Promise<EndpointKey> | null = null
  #failure: { error: EspalierError; at: number } | null = null

  /**
   * @param now - milliseconds of a clock that never goes back
   * @param first - the key, where it is known already
   */
  constructor(read: () => Promise<EndpointKey>, now: () => number, first?: EndpointKey) {
    this.#read = read
    this.#now = now
    if (first !== undefined) this.#keep(first)
  }

  /** Whether a key was read, and what kept the last reading from succeeding. */
  get state(): { read: boolean; failure: string | null } {
    return { read: this.#keys.length > 0, failure: this.#failure?.error.message ?? null }
  }

  /**
   * The key to send. Where an old one cannot be read again it stays in use: whether it still holds is for the endpoint
   * to say.
   *
   * @throws EspalierError `invalid_request` when there is none
   */
  async current(): Promise<EndpointKey> {
    const [key] = this.#keys
    if (key !== undefined && this.#now() - this.#readAt < lifetime) return key
    if (this.#failure !== null && this.#now() - this.#failure.at < (key ? betweenRenewals : failureLasts)) {
      if (key !== undefined) return key
      throw this.#failure.error
    }
    try {
      return await this.#refresh()
    } catch (error) {
      if (key !== undefined && EspalierError.isInstance(error)) return key
      throw error
    }
  }

  /** Whether there is another key than this one, which the endpoint has refused. */
  async replaces(refused: EndpointKey): Promise<boolean> {
    const isAnother = () => this.#keys[0] !== undefined && !this.#keys[0].equals(refused)
    if (isAnother()) return true
    if (this.#reading === null) {
      if (this.#now() - this.#renewedAt < betweenRenewals) return false
      this.#renewedAt = this.#now()
    }
    try {
      await this.#refresh()
    } catch (error) {
      // The refusal is what the caller reports; why no other key was found shows in `state`.
      if (!EspalierError.isInstance(error)) throw error
    }
    return isAnother()
  }

  /** The text without any key that was in use. */
  redact(text: string): string {
    return this.#keys.reduce((redacted, key) => key.redact(redacted), text)
  }

  #refresh(): Promise<EndpointKey> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readNow(): Promise<EndpointKey> {
    try {
      const key = await this.#read()
      this.#keep(key)
      return key
    } catch (error) {
      if (EspalierError.isInstance(error)) this.#failure = { error, at: this.#now() }
      throw error
    }
  }

  #keep(key: EndpointKey): void {
    this.#failure = null
    this.#readAt = this.#now()
    if (this.#keys[0]?.equals(key)) return
    this.#keys.unshift(key)
    this.#keys.splice(remembered)
  }
}
