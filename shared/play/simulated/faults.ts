import { createRandom, mixNumber } from '../../core/random/random.ts'

export interface FaultSettings {
  error_rate?: number
  /** The share of requests processed and then disconnected without an answer. */
  drop_rate?: number
  /** Requests per second; excess ones get 429 with the time to wait. */
  rate_limit?: number
}

export type Fault = { kind: 'error' } | { kind: 'drop' } | { kind: 'limit'; milliseconds: number }

export class Faults {
  readonly #settings: FaultSettings
  readonly #random: () => number
  readonly #now: () => number
  #windowStart = Number.NEGATIVE_INFINITY
  #inWindow = 0

  constructor(settings: FaultSettings, seed: number, now: () => number = () => performance.now()) {
    this.#settings = settings
    this.#random = createRandom(mixNumber(0xfa17, seed))
    this.#now = now
  }

  next(): Fault | null {
    const { error_rate = 0, drop_rate = 0, rate_limit = Number.POSITIVE_INFINITY } = this.#settings
    const now = this.#now()
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now
      this.#inWindow = 0
    }
    if (this.#inWindow >= rate_limit) {
      return { kind: 'limit', milliseconds: Math.ceil(this.#windowStart + 1000 - now) }
    }
    this.#inWindow++
    const draw = this.#random()
    if (draw < error_rate) return { kind: 'error' }
    return draw < error_rate + drop_rate ? { kind: 'drop' } : null
  }
}
