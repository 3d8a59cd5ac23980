import type { World } from '../../world/ports.ts'
import { EpisodeStopped } from '../episode-stopped.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'
import { giveBack } from './give-back.ts'
import { nanoPerDollar } from './money.ts'
import { readSpending } from './spending-row.ts'

/** Billionths of a dollar, and tokens. */
export interface Amount {
  cost: number
  tokens: number
}

type Caps = Pick<RunRow, 'cap_cost' | 'cap_tokens' | 'revision'>

/** For how many calls a lease is taken at once, and which share of what is left it may take at most. */
const leaseSize = { calls: 16, share: 1 / 4 }

/**
 * One worker's part of one run's caps. It leases amounts from the run in the ledger and spends them here, so that the
 * ledger is asked once for many calls, and all leases together never pass a cap. A run without caps leases nothing.
 */
export class Allowance {
  readonly #world: World
  readonly #store: RunStore
  readonly #run: string
  readonly #worker: string
  #caps: Caps | null = null
  /** Leased and not reserved. */
  #free: Amount = { cost: 0, tokens: 0 }
  #reserved: Amount = { cost: 0, tokens: 0 }
  #calls = 0
  #asking: Promise<void> | null = null
  #settled: (() => void)[] = []

  constructor(world: World, store: RunStore, run: string, worker: string) {
    this.#world = world
    this.#store = store
    this.#run = run
    this.#worker = worker
  }

  /** Whether no call of it is under way. */
  get isIdle(): boolean {
    return this.#calls === 0
  }

  /** Sets the amount aside. @throws EpisodeStopped when a cap forbids it, after pausing the run with the reason. */
  async take(wanted: Amount): Promise<void> {
    while (!this.#covers(wanted)) {
      this.#asking ??= this.#ask(wanted).finally(() => {
        this.#asking = null
      })
      await this.#asking
    }
    this.#move(wanted, -1)
    this.#calls += 1
  }

  /** Returns what a call did not need of what was set aside for it. */
  settle(reserved: Amount, spent: Amount): void {
    this.#move(reserved, 1)
    this.#free.cost -= spent.cost
    this.#free.tokens -= spent.tokens
    this.#calls -= 1
    for (const wake of this.#settled.splice(0)) wake()
  }

  /** Takes note of other caps, which a resumed run may have. */
  async update(caps: Caps): Promise<void> {
    if (this.#caps === null || this.#caps.revision === caps.revision) return
    this.#caps = null
    await this.giveBack()
  }

  /** Returns to the run what no call of this worker needs. */
  async giveBack(): Promise<void> {
    this.#free = { cost: 0, tokens: 0 }
    await giveBack(this.#world, this.#run, this.#worker, () => ({
      cost: this.#reserved.cost + this.#free.cost,
      tokens: this.#reserved.tokens + this.#free.tokens,
    }))
  }

  #covers({ cost, tokens }: Amount): boolean {
    if (this.#caps === null) return false
    const { cap_cost, cap_tokens } = this.#caps
    return (
      (cap_cost === null || this.#free.cost >= cost) && (cap_tokens === null || this.#free.tokens >= tokens)
    )
  }

  #move({ cost, tokens }: Amount, direction: 1 | -1): void {
    this.#free.cost += direction * cost
    this.#free.tokens += direction * tokens
    this.#reserved.cost -= direction * cost
    this.#reserved.tokens -= direction * tokens
  }

  /** Leases more, or waits for calls under way to return what they do not need, or pauses the run. */
  async #ask(wanted: Amount): Promise<void> {
    const row = await this.#store.get(this.#run)
    if (row.status !== 'running') throw new EpisodeStopped('paused', `The run is ${row.status}.`)
    this.#caps = row
    if (this.#covers(wanted)) return
    const add = {
      leased_cost: leaseOf(row.cap_cost, row.leased_cost, wanted.cost, this.#free.cost),
      leased_tokens: leaseOf(row.cap_tokens, row.leased_tokens, wanted.tokens, this.#free.tokens),
    }
    if (add.leased_cost !== null && add.leased_tokens !== null) {
      await this.#lease(row, { leased_cost: add.leased_cost, leased_tokens: add.leased_tokens })
    } else if (this.#calls > 0) {
      await new Promise<void>((resolve) => this.#settled.push(resolve))
    } else {
      await this.#pause(row, wanted, add.leased_cost === null ? 'cost' : 'tokens')
    }
  }

  async #lease(row: RunRow, add: { leased_cost: number; leased_tokens: number }): Promise<void> {
    const leased = await this.#world.ledger.transact([
      {
        key: ledgerKeys.run(this.#run),
        add,
        if: [
          { attribute: 'status', is: 'equal', value: 'running' },
          { attribute: 'revision', is: 'equal', value: row.revision },
          ...atMost('leased_cost', row.cap_cost, add.leased_cost),
          ...atMost('leased_tokens', row.cap_tokens, add.leased_tokens),
        ],
      },
      { key: ledgerKeys.spending(this.#run, this.#worker), add },
    ])
    if (!leased.ok) return
    this.#free.cost += add.leased_cost
    this.#free.tokens += add.leased_tokens
  }

  async #pause(row: RunRow, wanted: Amount, cap: 'cost' | 'tokens'): Promise<never> {
    const total = await readSpending(this.#world.ledger, this.#run)
    const spent = cap === 'cost' ? total.spent_cost : total.input_tokens + total.output_tokens
    const limit = cap === 'cost' ? row.cap_cost : row.cap_tokens
    const show = (amount: number) =>
      cap === 'cost' ? `$${(amount / nanoPerDollar).toFixed(4)}` : `${amount} tokens`
    const reason = `limits.${cap} reached: ${show(spent)} of ${show(limit ?? 0)} are spent, and the next call can take up to ${show(wanted[cap])}. Resume with a higher limits.${cap}.`
    await this.#store.change(this.#run, (latest) =>
      latest.status === 'running' && latest.revision === row.revision
        ? toStatus(latest, 'paused', reason, this.#world.clock.now())
        : null,
    )
    throw new EpisodeStopped('paused', reason)
  }
}

/** How much to lease under a cap, 0 without one; null when not even this call fits. */
function leaseOf(cap: number | null, leased: number, wanted: number, free: number): number | null {
  if (cap === null) return 0
  const missing = Math.max(0, wanted - free)
  const left = cap - leased
  if (missing > left) return null
  return Math.max(missing, Math.min(wanted * leaseSize.calls, Math.floor(left * leaseSize.share)))
}

function atMost(attribute: string, cap: number | null, added: number) {
  return cap === null ? [] : [{ attribute, is: 'at_most' as const, value: cap - added }]
}
