const usualBytes = 16 * 1024 * 1024

export class PartCache {
  readonly #mostBytes: number
  readonly #parts = new Map<string, { value: Promise<unknown[]>; size: number }>()
  #size = 0

  constructor(mostBytes = usualBytes) {
    this.#mostBytes = mostBytes
  }

  get(name: string, size: number, read: () => Promise<unknown[]>): Promise<unknown[]> {
    const known = this.#parts.get(name)
    if (known) {
      // It moves to the end: the least recently used parts are evicted first.
      this.#parts.delete(name)
      this.#parts.set(name, known)
      return known.value
    }
    const value = read()
    if (size > this.#mostBytes) return value
    this.#parts.set(name, { value, size })
    this.#size += size
    value.catch(() => this.#drop(name))
    for (const oldest of this.#parts.keys()) {
      if (this.#size <= this.#mostBytes) break
      this.#drop(oldest)
    }
    return value
  }

  #drop(name: string): void {
    const part = this.#parts.get(name)
    if (!part) return
    this.#parts.delete(name)
    this.#size -= part.size
  }
}
