import { EspalierError } from '../../../core/contracts/errors.ts'
import type { EndpointKey } from '../endpoint-key.ts'

const lifetime = 300_000
const betweenRenewals = 60_000
const failureLasts = 5000
const remembered = 8

/**
 * The current key of one endpoint. It is read on first use, once for all waiting callers, and cached for five
 * minutes. When the endpoint refuses it, it is read again, at most once a minute: a rotated key needs no restart.
 */
export class KeySource {
  readonly #read: () => Promise<EndpointKey>
  readonly #now: () => number
  /** The keys in use so far, the newest first: the text of a late answer may repeat an old one. */
  readonly #keys: EndpointKey[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #renewedAt = Number.NEGATIVE_INFINITY
  #reading: Promise<EndpointKey> | null = null
  #failure: { error: EspalierError; at: number } | null = null

  /**
   * @param now - milliseconds of a monotonic clock
   * @param first - the key, if already known
   */
  constructor(read: () => Promise<EndpointKey>, now: () => number, first?: EndpointKey) {
    this.#read = read
    this.#now = now
    if (first !== undefined) this.#keep(first)
  }

  get state(): { read: boolean; failure: string | null } {
    return { read: this.#keys.length > 0, failure: this.#failure?.error.message ?? null }
  }

  /**
   * The key to send. If a read fails, the old key stays in use, and the endpoint decides whether it is still valid.
   *
   * @throws EspalierError `invalid_request` if there is none
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
      // The caller reports the refusal; `state` shows why no other key was found.
      if (!EspalierError.isInstance(error)) throw error
    }
    return isAnother()
  }

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
