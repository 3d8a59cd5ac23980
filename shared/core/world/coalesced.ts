/**
 * Runs an action for a key at most once at a time. Callers that arrive while it runs share the next run, which starts
 * when this one ends and so sees everything from before their calls.
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

  async settled(key: string): Promise<void> {
    for (let running = this.#running.get(key); running; running = this.#running.get(key)) {
      await (this.#next.get(key) ?? running).catch(() => undefined)
    }
  }

  #start(key: string, action: () => Promise<void>): Promise<void> {
    const running = action().finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }
}
