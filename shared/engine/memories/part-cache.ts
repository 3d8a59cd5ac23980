import { LRUCache } from 'lru-cache'

/** Bytes as they are stored; parsed they take a few times as much. */
const usualBytes = 16 * 1024 * 1024

/** What was read last, up to a bound of bytes, so that episodes of one process do not read the same parts again. */
export class PartCache {
  readonly #parts: LRUCache<string, Promise<unknown[]>>

  constructor(mostBytes = usualBytes) {
    this.#parts = new LRUCache({ maxSize: mostBytes })
  }

  /** @param size bytes of the part; one that is larger than the cache is not kept */
  get(name: string, size: number, read: () => Promise<unknown[]>): Promise<unknown[]> {
    const known = this.#parts.get(name)
    if (known) return known
    const value = read()
    this.#parts.set(name, value, { size: Math.max(1, size) })
    value.catch(() => {
      if (this.#parts.peek(name) === value) this.#parts.delete(name)
    })
    return value
  }
}
