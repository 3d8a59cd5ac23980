/** The outcome of a call for the limit. `failed` is any failure but a 429, and says nothing about the rate. */
export type SlotOutcome = 'answered' | 'rate_limited' | 'failed'

/** The right to one call in flight. Release it exactly once; later releases do nothing. */
export interface Slot {
  release(outcome: SlotOutcome): void
}

const coolDown = 15_000

/**
 * Finds an endpoint's limit of concurrent calls. Starts at 20 and doubles each time as many calls as the limit were
 * answered. The first 429 ends the doubling, and from then on a clean round adds 5 %. A 429 reduces the limit to four
 * fifths, once in 15 s, because calls sent before the cut still return with 429. Waiting calls are served in order.
 */
export class AdaptiveLimiter {
  readonly #maximum: number
  readonly #now: () => number
  readonly #waiting = new Set<() => void>()
  #limit: number
  #inFlight = 0
  #answered = 0
  #lastCut = Number.NEGATIVE_INFINITY
  #doubling = true

  /** @param options.now Milliseconds of a monotonic clock. */
  constructor(options: { start?: number; maximum?: number; now?: () => number } = {}) {
    this.#maximum = Math.max(1, options.maximum ?? 1024)
    this.#limit = Math.min(this.#maximum, options.start ?? 20)
    this.#now = options.now ?? (() => performance.now())
  }

  get limit(): number {
    return Math.floor(this.#limit)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Waits for a free slot, in order of arrival. Rejects with the signal's reason if it aborts first. */
  acquire(signal?: AbortSignal): Promise<Slot> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#inFlight < this.limit && this.#waiting.size === 0) return Promise.resolve(this.#take())
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(grant)
        reject(signal?.reason)
      }
      const grant = () => {
        signal?.removeEventListener('abort', abort)
        resolve(this.#take())
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(grant)
    })
  }

  #take(): Slot {
    this.#inFlight++
    let released = false
    return {
      release: (outcome) => {
        if (released) return
        released = true
        this.#inFlight--
        this.#learn(outcome)
        this.#grant()
      },
    }
  }

  #learn(outcome: SlotOutcome): void {
    if (outcome === 'failed') return
    if (outcome === 'rate_limited') {
      this.#doubling = false
      this.#answered = 0
      const now = this.#now()
      if (now - this.#lastCut < coolDown) return
      this.#lastCut = now
      this.#limit = Math.max(1, this.#limit * 0.8)
      return
    }
    this.#answered++
    if (this.#answered < this.limit) return
    this.#answered = 0
    this.#limit = Math.min(this.#maximum, this.#limit * (this.#doubling ? 2 : 1.05))
  }

  #grant(): void {
    for (const grant of this.#waiting) {
      if (this.#inFlight >= this.limit) return
      this.#waiting.delete(grant)
      grant()
    }
  }
}
