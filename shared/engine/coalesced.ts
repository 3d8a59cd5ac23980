/**
 * Runs an action for a key at most once at a time: callers that ask while it runs share the next run, which starts when
 * this one ends and so sees everything that was there when they asked.
 */
export class Coalesced {
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  run(key: string, action: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key)
    if (!running) return this.#start(key, action)
    const waiting = this.#next.get(key)
    if (waiting) return waiting
    const start = () => {
      this.#next.delete(key)
      return this.#start(key, action)
    }
    const next = running.then(start, start)
    this.#next.set(key, next)
    return next
  }

  #start(key: string, action: () => Promise<void>): Promise<void> {
    const running = action().finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }
}
