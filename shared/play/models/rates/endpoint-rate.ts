import type { Clock, Ledger } from '../../../core/world/ports.ts'
import { burst, horizon, leaseLife } from './gcra.ts'
import { checkFits, type Quota, sizeOfLease, type Units } from './quota.ts'
import { RateLedger } from './rate-ledger.ts'

export interface RateWorld {
  ledger: Ledger
  clock: Clock
}

export interface Permit {
  /** Reports the actual usage and returns the unused units. Later calls do nothing. */
  settle(taken: Units): void
}

interface Waiter {
  tokens: number
  grant: (permit: Permit) => void
  refuse: (error: unknown) => void
}

interface Lease extends Units {
  from: number
  until: number
}

const nothing: Units = { requests: 0, tokens: 0 }

/**
 * One worker's share of an endpoint's requests and tokens per minute. It leases about as many calls as it makes in
 * two seconds from the {@link RateLedger} and admits waiting calls in their order. Unused units return with the next
 * lease, or when a call ends two seconds later or more. Only a dead process loses them.
 */
export class EndpointRate {
  readonly #endpoint: string
  readonly #quota: Quota
  readonly #clock: Clock
  readonly #ledger: RateLedger
  readonly #waiting = new Set<Waiter>()
  #lease: Lease = { ...nothing, from: 0, until: 0 }
  #back: Units = { ...nothing }
  #granted = 0
  #expected = 1
  #exchangedAt = Number.NEGATIVE_INFINITY
  #attempts = 0
  #pumping = false
  #nap: AbortController | null = null

  constructor(endpoint: string, quota: Quota, world: RateWorld) {
    this.#endpoint = endpoint
    this.#quota = quota
    this.#clock = world.clock
    this.#ledger = new RateLedger(endpoint, quota, world)
  }

  /**
   * Waits in order of arrival until a request with this many tokens may be sent.
   *
   * @param tokens - the request's upper bound
   * @throws EspalierError if it exceeds the whole quota; the signal's reason when it aborts first
   */
  async acquire(tokens: number, signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted()
    checkFits(this.#endpoint, this.#quota, tokens)
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
        if (this.#waiting.size === 0) this.#nap?.abort()
      }
      const waiter: Waiter = {
        tokens,
        grant: (permit) => {
          leave()
          resolve(permit)
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(waiter)
      this.#pump()
    })
  }

  #pump(): void {
    this.#serve()
    if (this.#pumping || (this.#waiting.size === 0 && !this.#isReturnDue())) return
    this.#pumping = true
    this.#run()
      .catch((error: unknown) => {
        // If no call waits, the units to return are kept, and the next lease meets the same ledger.
        for (const waiter of [...this.#waiting]) waiter.refuse(error)
      })
      .finally(() => {
        this.#pumping = false
        if (this.#waiting.size > 0) this.#pump()
      })
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const now = this.#clock.now()
      if (this.#isOfAnotherTime(now)) this.#dropLease()
      if (this.#lease.from > now) await this.#sleep(this.#lease.from - now)
      else await this.#askForMore()
      this.#serve()
    }
    const now = this.#clock.now()
    const unused = this.#lease.from > now
    if (unused || this.#lease.until <= now) this.#dropLease()
    if (unused || this.#isReturnDue()) await this.#exchange(null)
  }

  #serve(): void {
    const now = this.#clock.now()
    if (now < this.#lease.from || now >= this.#lease.until || this.#isOfAnotherTime(now)) return
    for (const waiter of this.#waiting) {
      if (this.#lease.requests < 1 || this.#lease.tokens < waiter.tokens) return
      this.#lease.requests -= 1
      this.#lease.tokens -= waiter.tokens
      this.#granted += 1
      waiter.grant(this.#permit(waiter.tokens))
    }
  }

  /** A lease that ends later than any can: the clock was set back after it began. */
  #isOfAnotherTime(now: number): boolean {
    return this.#lease.until > now + burst + horizon + leaseLife
  }

  #permit(tokens: number): Permit {
    let settled = false
    return {
      settle: (taken) => {
        if (settled) return
        settled = true
        this.#giveBack({ requests: 1 - taken.requests, tokens: tokens - taken.tokens })
        this.#pump()
      },
    }
  }

  async #askForMore(): Promise<void> {
    this.#dropLease()
    const waiting = Array.from(this.#waiting, ({ tokens }) => tokens)
    const lease = sizeOfLease(this.#quota, waiting, this.#expected)
    const answer = await this.#exchange(lease)
    if ('from' in answer) {
      const { from } = answer
      this.#lease = { ...lease, from, until: Math.max(from, this.#clock.now()) + leaseLife }
      this.#expected = lease.requests
      this.#granted = 0
      this.#attempts = 0
      return
    }
    // A call that has waited longer returns sooner, so that none starves.
    this.#attempts += 1
    const aside = (Math.random() * 250) / this.#attempts
    // Units returned by other calls may advance its turn, so it asks again after a lease's life at the latest.
    await this.#sleep(Math.min(answer.wait, leaseLife) + aside)
  }

  async #exchange(lease: Units | null): Promise<{ from: number } | { wait: number }> {
    const back = this.#back
    this.#back = { ...nothing }
    this.#exchangedAt = this.#clock.now()
    try {
      return await this.#ledger.exchange(lease, back)
    } catch (error) {
      this.#giveBack(back)
      throw error
    }
  }

  /** Ends the lease. A lease used up in its life was too small; any other has shown how many calls to expect. */
  #dropLease(): void {
    const { from, until } = this.#lease
    const now = this.#clock.now()
    if (until === 0) return
    this.#expected = from <= now && now < until ? this.#expected * 2 : Math.max(1, this.#granted)
    this.#giveBack(this.#lease)
    this.#lease = { ...nothing, from: 0, until: 0 }
  }

  #giveBack({ requests, tokens }: Units): void {
    this.#back.requests += requests
    this.#back.tokens += tokens
  }

  #isReturnDue(): boolean {
    const { requests, tokens } = this.#back
    return (requests !== 0 || tokens !== 0) && Math.abs(this.#clock.now() - this.#exchangedAt) >= leaseLife
  }

  async #sleep(milliseconds: number): Promise<void> {
    const nap = new AbortController()
    this.#nap = nap
    try {
      await this.#clock.sleep(milliseconds, nap.signal)
    } catch (error) {
      if (!nap.signal.aborted) throw error
    } finally {
      this.#nap = null
    }
  }
}
