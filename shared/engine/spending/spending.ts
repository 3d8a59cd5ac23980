import type { Meter, Reservation } from '../../contracts/meter.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'
import { Allowance, type Amount } from './allowance.ts'
import { toNano } from './money.ts'
import { type ReservationRow, type Spent, settleReservation } from './reservation.ts'

/**
 * Counts this worker's money and tokens. Each call is first covered by the run's caps ({@link Allowance}), then written
 * to the ledger with what it can cost at most, then sent, then settled; so a call is counted whatever becomes of its
 * answer or of this process. What a dead worker left reserved is settled by the sweeper.
 */
export class Spending {
  readonly #world: World
  readonly #store: RunStore
  readonly #worker: string
  readonly #allowances = new Map<string, Allowance>()
  readonly #settling = new Set<Promise<void>>()
  #failure: unknown = null
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

  /** Takes note of how a run stands whose episodes are played here. */
  async update(row: RunRow): Promise<void> {
    await this.#allowances.get(row.id)?.update(row)
  }

  /** Waits for everything that is being counted. @throws what kept something from being counted */
  async settled(): Promise<void> {
    await Promise.all(this.#settling)
    this.#throwFailure()
  }

  /** Returns what is left of a run's lease, once nothing of the run is played here any longer. */
  async leave(run: string): Promise<void> {
    const allowance = this.#allowances.get(run)
    if (!allowance) return
    await this.settled()
    if (!allowance.isIdle) return
    this.#allowances.delete(run)
    await allowance.giveBack()
    await this.#world.ledger.update({ key: ledgerKeys.holding(this.#worker, run), delete: true })
  }

  async #reserve(row: ReservationRow): Promise<Reservation> {
    this.#throwFailure()
    const allowance = await this.#allowance(row.run)
    await allowance.take(row)
    this.#calls += 1
    const id = `${this.#worker}-${this.#calls}`
    const settle = async (spent: Spent | 'in full' | null) => {
      let counted: Amount = row
      try {
        counted = await settleReservation(this.#world, this.#worker, id, row, spent)
      } finally {
        allowance.settle(row, counted)
      }
    }
    try {
      await this.#world.ledger.update({ key: ledgerKeys.reservation(this.#worker, id), set: row })
    } catch (error) {
      allowance.settle(row, { cost: 0, tokens: 0 })
      throw error
    }
    return {
      id,
      settle: async (spent) => this.#aside(settle({ ...spent, lost: false })),
      release: () => settle(null),
      lose: () => settle('in full'),
    }
  }

  async #allowance(run: string): Promise<Allowance> {
    const found = this.#allowances.get(run)
    if (found) return found
    const allowance = new Allowance(this.#world, this.#store, run, this.#worker)
    this.#allowances.set(run, allowance)
    await this.#world.ledger.update({ key: ledgerKeys.holding(this.#worker, run), set: { run } })
    return allowance
  }

  /**
   * The answer need not wait until its cost is in the ledger: dying before that leaves the reservation, which counts too.
   * A failure comes up at the next reservation, or when everything is waited for.
   */
  #aside(settling: Promise<void>): void {
    const counted = settling
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#settling.delete(counted))
    this.#settling.add(counted)
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure !== null) throw failure
  }
}
