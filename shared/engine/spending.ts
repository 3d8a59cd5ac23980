import type { Meter, Reservation } from '../contracts/meter.ts'
import type { ModelChoice } from '../contracts/model-choice.ts'
import type { Usage } from '../contracts/usage.ts'
import type { LedgerChange, World } from '../world/ports.ts'
import { EpisodeStopped } from './episode-stopped.ts'
import { ledgerKeys } from './keys.ts'
import { nanoPerDollar, type RunRow } from './runs/run-row.ts'
import { type RunStore, toStatus } from './runs/run-store.ts'

/** A paid call under way: kept in the ledger from before it is sent until what it cost is counted. */
export type ReservationRow = { run: string; endpoint: string; model: string; cost: number; tokens: number }

type Spent = Pick<Usage, 'input_tokens' | 'output_tokens' | 'cost'>

/**
 * Counts a run's money and tokens in the ledger. Each call first reserves what it can cost at most, durably, then is
 * sent, then settles; so a call is counted whatever becomes of its answer or of this process, and no cap is passed. What
 * a dead worker left reserved is settled by the sweeper.
 */
export class Spending {
  readonly #world: World
  readonly #store: RunStore
  readonly #worker: string
  /** Caps as last read; a change of caps moves the revision, which makes reservations read again. */
  readonly #caps = new Map<string, Pick<RunRow, 'revision' | 'cap_cost' | 'cap_tokens'>>()
  #calls = 0

  constructor(world: World, store: RunStore, worker: string) {
    this.#world = world
    this.#store = store
    this.#worker = worker
  }

  /** The meter of one model's calls for one run. */
  meter(run: string, { endpoint, id: model }: Pick<ModelChoice, 'endpoint' | 'id'>): Meter {
    return {
      reserve: ({ cost, tokens }) => this.#reserve({ run, endpoint, model, cost: toNano(cost), tokens }),
    }
  }

  async #reserve(row: ReservationRow): Promise<Reservation> {
    this.#calls += 1
    const id = `${this.#worker}-${this.#calls}`
    while (!(await this.#take(id, row))) await this.#wait(row)
    return this.#reservation(id, row)
  }

  async #take(id: string, row: ReservationRow): Promise<boolean> {
    const { cap_cost, cap_tokens, revision } = this.#caps.get(row.run) ?? (await this.#store.get(row.run))
    const taken = await this.#world.ledger.transact([
      {
        key: ledgerKeys.run(row.run),
        add: { committed_cost: row.cost, committed_tokens: row.tokens },
        if: [
          { attribute: 'status', is: 'equal', value: 'running' },
          { attribute: 'revision', is: 'equal', value: revision },
          ...(cap_cost === null ? [] : [atMost('committed_cost', cap_cost - row.cost)]),
          ...(cap_tokens === null ? [] : [atMost('committed_tokens', cap_tokens - row.tokens)]),
        ],
      },
      { key: ledgerKeys.reservation(this.#worker, id), set: row },
    ])
    return taken.ok
  }

  /** Waits while other calls still hold more than they will spend; stops the episode when that cannot help. */
  async #wait(row: ReservationRow): Promise<void> {
    const { run } = row
    const now = await this.#store.get(run)
    const isStale = this.#caps.get(run)?.revision !== now.revision
    const { cap_cost, cap_tokens, revision } = now
    this.#caps.set(run, { cap_cost, cap_tokens, revision })
    if (now.status !== 'running') throw new EpisodeStopped('paused', `The run is ${now.status}.`)
    const spentTokens = now.input_tokens + now.output_tokens
    const cost = capReason('cost', now.cap_cost, now.spent_cost, now.committed_cost, row.cost)
    const tokens = capReason('tokens', now.cap_tokens, spentTokens, now.committed_tokens, row.tokens)
    const reason = cost ?? tokens
    if (reason === null && isStale) return
    if (reason === null) {
      await this.#world.clock.sleep(100)
      return
    }
    await this.#store.change(run, (latest) =>
      latest.status === 'running' ? toStatus(latest, 'paused', reason, this.#world.clock.now()) : null,
    )
    throw new EpisodeStopped('paused', reason)
  }

  #reservation(id: string, row: ReservationRow): Reservation {
    const worker = this.#worker
    return {
      id,
      settle: (spent) => settleReservation(this.#world, worker, id, row, { ...spent, lost: false }),
      release: () => settleReservation(this.#world, worker, id, row, null),
      lose: () => settleReservation(this.#world, worker, id, row, 'in full'),
    }
  }
}

/**
 * Counts what a reserved call really cost, once: a second time, or after the sweeper was faster, nothing changes.
 *
 * @param spent - null when nothing was paid; `in full` when what was paid is unknown
 */
export async function settleReservation(
  world: World,
  worker: string,
  id: string,
  row: ReservationRow,
  spent: (Spent & { lost: boolean }) | 'in full' | null,
): Promise<void> {
  const counted =
    spent === 'in full' ? { lost: true, cost: null, input_tokens: row.tokens, output_tokens: 0 } : spent
  const cost = spent === 'in full' ? row.cost : toNano(counted?.cost ?? null)
  const tokens = counted ? counted.input_tokens + counted.output_tokens : 0
  const run: LedgerChange = {
    key: ledgerKeys.run(row.run),
    add: {
      committed_cost: cost - row.cost,
      committed_tokens: tokens - row.tokens,
      ...(counted && {
        spent_cost: cost,
        input_tokens: counted.input_tokens,
        output_tokens: counted.output_tokens,
        model_calls: 1,
        lost_calls: counted.lost ? 1 : 0,
      }),
    },
  }
  const key = ledgerKeys.reservation(worker, id)
  await world.ledger.transact([{ key, delete: true, if: [{ is: 'present' }] }, run])
}

function toNano(dollars: number | null): number {
  return Math.round((dollars ?? 0) * nanoPerDollar)
}

function atMost(attribute: string, value: number) {
  return { attribute, is: 'at_most' as const, value }
}

/** Why a cap forbids the call for good; null while calls under way may leave room for it. */
function capReason(
  cap: 'cost' | 'tokens',
  limit: number | null,
  spent: number,
  committed: number,
  wanted: number,
): string | null {
  if (limit === null || committed + wanted <= limit) return null
  if (spent + wanted <= limit && committed > spent) return null
  const show = (amount: number) =>
    cap === 'cost' ? `$${(amount / nanoPerDollar).toFixed(4)}` : `${amount} tokens`
  return `limits.${cap} reached: ${show(spent)} of ${show(limit)} are spent, and the next call can take up to ${show(wanted)}. Resume with a higher limits.${cap}.`
}
