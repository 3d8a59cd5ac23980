import type { Clock, Ledger, LedgerItem, LedgerKey } from '../../../core/world/ports.ts'
import { burst, horizon, schedule, timeOf } from './gcra.ts'
import type { Quota, Units } from './quota.ts'

/** The theoretical arrival times of the next request and the next token, in milliseconds since the epoch. */
interface Arrivals {
  requests: number
  tokens: number
}

/** The lease begins at `from`, or ask again after `wait` milliseconds. */
export type LeaseAnswer = { from: number } | { wait: number }

/**
 * The rate of one endpoint as all workers share it: one item in the ledger, changed by compare-and-set. Leases are
 * issued slightly ahead of their time, in request order. If that time is used up, a call asks again later, whatever
 * the size of its calls, so that large ones do not starve.
 */
export class RateLedger {
  readonly #ledger: Ledger
  readonly #clock: Clock
  readonly #key: LedgerKey
  readonly #quota: Quota
  #seen: LedgerItem | null = null

  constructor(endpoint: string, quota: Quota, world: { ledger: Ledger; clock: Clock }) {
    this.#ledger = world.ledger
    this.#clock = world.clock
    this.#key = { partition: 'rates', sort: endpoint }
    this.#quota = quota
  }

  async exchange(lease: Units | null, back: Units): Promise<LeaseAnswer> {
    for (;;) {
      const now = this.#clock.now()
      const revision = Number(this.#seen?.revision ?? 0)
      const before = this.#without(back, now)
      const ahead = Math.max(before.requests, before.tokens) - now - burst - horizon
      const taken = lease === null || ahead > 0 ? null : this.#take(before, now, lease)
      const answer: LeaseAnswer = taken === null ? { wait: Math.max(1, ahead) } : { from: taken.from }
      if (taken === null && back.requests === 0 && back.tokens === 0) {
        // Nothing to write: but the item may be stale, so read it again before anyone waits for it.
        const item = await this.#ledger.get(this.#key)
        const current = Number(item?.revision ?? 0) === revision
        this.#seen = item
        if (current) return answer
        continue
      }
      const { requests, tokens } = taken?.arrivals ?? before
      const written = await this.#ledger.update({
        key: this.#key,
        set: { revision: revision + 1, requests_at: requests, tokens_at: tokens },
        if: [revision === 0 ? { is: 'absent' } : { attribute: 'revision', is: 'equal', value: revision }],
      })
      this.#seen = written.item
      if (written.ok) return answer
    }
  }

  #without(back: Units, now: number): Arrivals {
    const { requests_at = 0, tokens_at = 0 } = this.#seen ?? {}
    const { requests, tokens } = this.#quota
    return {
      requests: withinReach(Number(requests_at), now, requests) - spanOf(back.requests, requests),
      tokens: withinReach(Number(tokens_at), now, tokens) - spanOf(back.tokens, tokens),
    }
  }

  #take(before: Arrivals, now: number, lease: Units): { arrivals: Arrivals; from: number } {
    const { requests, tokens } = this.#quota
    const none = { arrival: 0, from: now }
    const byRequests = requests === null ? none : schedule(before.requests, now, lease.requests, requests)
    const byTokens = tokens === null ? none : schedule(before.tokens, now, lease.tokens, tokens)
    return {
      arrivals: { requests: byRequests.arrival, tokens: byTokens.arrival },
      from: Math.max(byRequests.from, byTokens.from),
    }
  }
}

/**
 * An arrival time further ahead than possible was written before the clock was set back. It counts as the end of a
 * burst: calls continue at the full rate, and the burst is not used twice.
 */
function withinReach(arrival: number, now: number, perMinute: number | null): number {
  if (perMinute === null) return arrival
  // Beyond a full horizon one call may take a whole minute's quota, and the quota may be less than one request.
  const longestAhead = burst + horizon + Math.max(60_000, timeOf(1, perMinute))
  return arrival > now + longestAhead ? now + burst : arrival
}

function spanOf(amount: number, perMinute: number | null): number {
  if (perMinute === null || amount === 0) return 0
  const takes = timeOf(amount, perMinute)
  return amount < 0 ? takes : Math.max(0, takes - 1)
}
