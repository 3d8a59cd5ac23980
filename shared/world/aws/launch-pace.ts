import type { Clock } from '../ports.ts'

/** Lets callers through one by one, so many a second at most. */
export class LaunchPace {
  readonly #clock: Clock
  readonly #gap: number
  #next = 0
  #seen = 0

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#gap = 1000 / perSecond
  }

  /** Resolves when it is the caller's turn; the first does not wait. */
  async turn(): Promise<void> {
    const now = this.#clock.now()
    // Where the clock was set back, turns are as far away as they were before.
    if (now < this.#seen) this.#next -= this.#seen - now
    this.#seen = now
    const at = Math.max(now, this.#next)
    this.#next = at + this.#gap
    if (at > now) await this.#clock.sleep(at - now)
  }
}
