/**
 * Lets a fixed number of callers pass in each turn of the event loop, in request order. Between two turns the process
 * reads, writes and sends: the first of a thousand answers is journaled, delivered and followed by its next request
 * while the last still waits. Without it they keep in step, and each round of requests waits for the work on all of
 * them.
 */
export class TurnLimit {
  readonly #most: number
  #left: number
  #waiting: (() => void)[] = []
  #isScheduled = false

  constructor(most: number) {
    this.#most = most
    this.#left = most
  }

  pass(): Promise<void> {
    this.#schedule()
    if (this.#left > 0) {
      this.#left -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const released = this.#waiting.splice(0, this.#most)
      this.#left = this.#most - released.length
      if (this.#waiting.length > 0) this.#schedule()
      for (const release of released) release()
    })
  }
}
