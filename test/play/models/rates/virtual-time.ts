import type { Clock, Ledger } from '../../../../shared/core/world/ports.ts'

interface Sleeper {
  at: number
  wake: () => void
}

/** A clock that jumps to whatever is slept for next, once all that can happen now has happened. */
export class VirtualTime implements Clock {
  #now = Date.UTC(2026, 10, 21)
  #ahead = 0
  readonly #sleepers = new Set<Sleeper>()
  #busy = 0

  now(): number {
    return this.#now + this.#ahead
  }

  /** Milliseconds of a clock that is never set. */
  get passed(): number {
    return this.#now
  }

  /** Sets the clock so much ahead; back, where it is negative. What is slept for is as far away as before. */
  jump(milliseconds: number): void {
    this.#ahead += milliseconds
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + milliseconds, wake: resolve }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', () => {
        if (this.#sleepers.delete(sleeper)) reject(signal.reason)
      })
    })
  }

  /** The ledger, such that time stands still while it works. */
  watch(ledger: Ledger): Ledger {
    const during = async <Result>(work: Promise<Result>): Promise<Result> => {
      this.#busy += 1
      return work.finally(() => {
        this.#busy -= 1
      })
    }
    return {
      get: (key) => during(ledger.get(key)),
      update: (change) => during(ledger.update(change)),
      transact: (changes) => during(ledger.transact(changes)),
      query: (partition, options) => during(ledger.query(partition, options)),
    }
  }

  /** Lets time pass until the work is done. */
  async pass<Result>(work: Promise<Result>): Promise<Result> {
    let done = false
    const ended = work.finally(() => {
      done = true
    })
    ended.catch(() => {})
    while (!done) {
      await this.#settle()
      const next = [...this.#sleepers].toSorted((left, right) => left.at - right.at)[0]
      if (done || next === undefined) {
        if (!done && this.#busy === 0) await new Promise(setImmediate)
        continue
      }
      this.#now = Math.max(this.#now, next.at)
      this.#sleepers.delete(next)
      next.wake()
    }
    return ended
  }

  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      await new Promise(setImmediate)
      quiet = this.#busy === 0 ? quiet + 1 : 0
    }
  }
}
