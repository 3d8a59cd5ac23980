import type { Meter, Reservation, UpperBound } from '../../contracts/meter.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import { toNano } from '../../contracts/money.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'
import { Allowance } from './allowance.ts'
import { type Amount, times } from './amount.ts'
import { CallBlock, callId, type Purpose } from './call-block.ts'
import type { Spent } from './counted.ts'
import { foldSpending } from './fold-spending.ts'

export interface SpendingOptions {
  world: World
  store: RunStore
  worker: string
  /**
   * How many calls are reserved in the ledger at once. With 1, what a killed process leaves is known call by call; with
   * more, the ledger is written less, and a killed process may leave up to so many calls counted that it never made.
   *
   * @default 1
   */
  callsAtOnce?: number
}

/** One run's part of a worker's spending. */
interface RunSpending {
  /** Once it stands in the ledger that this worker holds a part of the run's caps. */
  held: Promise<void>
  allowance: Allowance
  blocks: Set<CallBlock>
  /** Calls that are being reserved. */
  reserving: number
}

/**
 * Counts this worker's money and tokens. Each call is first covered by the caps of its run and tenant
 * ({@link Allowance}), then reserved in the ledger with what it can cost at most ({@link CallBlock}), then sent, then
 * settled; so a call is counted whatever becomes of its answer or of this process. What a dead worker left reserved is
 * settled by the sweeper.
 */
export class Spending {
  readonly #options: SpendingOptions
  readonly #callsAtOnce: number
  readonly #runs = new Map<string, RunSpending>()
  /** Runs whose lease is being returned. */
  readonly #leaving = new Map<string, Promise<void>>()
  /** Blocks that have calls to lend, by their purpose. */
  readonly #lending = new Map<string, CallBlock[]>()
  /** Blocks that are being opened, and how many more callers they can serve. */
  readonly #opening = new Map<string, { places: number; opened: Promise<void> }>()
  readonly #aside = new Set<Promise<void>>()
  #failure: unknown = null
  #calls = 0

  constructor(options: SpendingOptions) {
    this.#options = options
    this.#callsAtOnce = options.callsAtOnce ?? 1
  }

  /** The meter of one model's calls for one run. */
  meter(run: string, { endpoint, id: model }: Pick<ModelChoice, 'endpoint' | 'id'>): Meter {
    return { reserve: (upperBound) => this.#reserve({ run, endpoint, model }, upperBound) }
  }

  /** Takes note of how a run stands whose episodes are played here. */
  async update(row: RunRow): Promise<void> {
    await this.#runs.get(row.id)?.allowance.update(row)
  }

  /** Waits until every settled call of a run is counted in the ledger. @throws what kept one from being counted */
  async settled(run: string): Promise<void> {
    await Promise.all(this.#aside)
    this.#throwFailure()
    const spending = this.#runs.get(run)
    if (spending) await Promise.all([...spending.blocks].map((block) => this.#flush(spending, block)))
  }

  /** Returns what is left of a run's lease, once nothing of the run is played here any longer. */
  async leave(run: string): Promise<void> {
    const spending = this.#runs.get(run)
    if (!spending) return
    for (const block of spending.blocks) if (block.isIdle) block.close()
    await this.settled(run)
    if (this.#runs.get(run) !== spending || !spending.allowance.isIdle || spending.reserving > 0) return
    this.#runs.delete(run)
    const left = this.#handBack(run, spending)
    this.#leaving.set(run, left)
    try {
      await left
    } catch (error) {
      if (!this.#runs.has(run)) this.#runs.set(run, spending)
      throw error
    } finally {
      this.#leaving.delete(run)
    }
  }

  async #handBack(run: string, { allowance }: RunSpending): Promise<void> {
    const { world, worker } = this.#options
    await allowance.giveBack()
    await foldSpending(world, run, worker)
    await world.ledger.update({ key: ledgerKeys.holding(worker, run), delete: true })
  }

  /** Holds again what a sweeper has returned that took this worker for dead. */
  async holdAgain(): Promise<void> {
    for (const [run, { allowance }] of this.#runs) {
      await this.#hold(run)
      await allowance.giveBack()
    }
  }

  async leaveAll(): Promise<void> {
    for (const run of [...this.#runs.keys()]) await this.leave(run)
    await Promise.all([...this.#aside, ...this.#leaving.values()])
    this.#throwFailure()
  }

  async #reserve(purpose: Purpose, { cost, tokens }: UpperBound): Promise<Reservation> {
    this.#throwFailure()
    const bound = { cost: toNano(cost), tokens }
    const spending = this.#of(purpose.run)
    spending.reserving += 1
    try {
      await spending.held
      for (;;) {
        const lent = this.#lend(purpose, bound)
        if (lent) return this.#toReservation(spending, lent)
        await this.#open(spending, purpose, bound)
      }
    } finally {
      spending.reserving -= 1
    }
  }

  #lend(purpose: Purpose, bound: Amount): { block: CallBlock; call: number } | null {
    const blocks = this.#lending.get(nameOf(purpose))
    for (let block = blocks?.at(-1); blocks && block; block = blocks.at(-1)) {
      const call = block.lend(bound)
      if (call === null) block.close()
      if (!block.hasUnused) blocks.pop()
      if (call !== null) return { block, call }
    }
    this.#lending.delete(nameOf(purpose))
    return null
  }

  /** Opens a block, or waits for one that is being opened and has room. */
  async #open(spending: RunSpending, purpose: Purpose, bound: Amount): Promise<void> {
    const name = nameOf(purpose)
    const before = this.#opening.get(name)
    if (before && before.places > 0) {
      before.places -= 1
      return before.opened
    }
    const opened = this.#openBlock(spending, purpose, bound)
    const opening = { places: this.#callsAtOnce - 1, opened }
    this.#opening.set(name, opening)
    try {
      await opened
    } finally {
      if (this.#opening.get(name) === opening) this.#opening.delete(name)
    }
  }

  async #openBlock({ allowance, blocks }: RunSpending, purpose: Purpose, bound: Amount): Promise<void> {
    const { world, worker } = this.#options
    const count = await allowance.take(bound, this.#callsAtOnce)
    const held = times(bound, count)
    const calls = Array.from({ length: count }, () => {
      this.#calls += 1
      return this.#calls
    })
    try {
      const block = await CallBlock.open(world, worker, { purpose, held, calls })
      blocks.add(block)
      const lending = this.#lending.get(nameOf(purpose))
      if (lending) lending.push(block)
      else this.#lending.set(nameOf(purpose), [block])
    } catch (error) {
      allowance.settle(held, { cost: 0, tokens: 0 }, true)
      throw error
    }
  }

  #toReservation(spending: RunSpending, { block, call }: { block: CallBlock; call: number }): Reservation {
    const settle = async (spent: Spent): Promise<void> => {
      if (block.settle(call, spent)) await this.#flush(spending, block)
    }
    return {
      id: callId(this.#options.worker, call),
      settle: async (spent) => this.#setAside(settle({ ...spent, lost: false })),
      release: () => settle(null),
      lose: () => settle('in full'),
    }
  }

  async #flush({ allowance, blocks }: RunSpending, block: CallBlock): Promise<boolean> {
    const flushed = await block.flush().catch((error: unknown) => {
      allowance.wake()
      throw error
    })
    if (flushed === null) return false
    if (flushed.isOver) blocks.delete(block)
    allowance.settle(flushed.released, flushed.spent, flushed.isOver)
    return true
  }

  #of(run: string): RunSpending {
    const found = this.#runs.get(run)
    if (found) return found
    const { world, store, worker } = this.#options
    const held = this.#hold(run)
    const spending: RunSpending = {
      held,
      blocks: new Set(),
      reserving: 0,
      allowance: new Allowance({ world, store, run, worker, reclaim: () => this.#reclaim(spending) }),
    }
    this.#runs.set(run, spending)
    held.catch(() => this.#runs.delete(run))
    return spending
  }

  async #hold(run: string): Promise<void> {
    const { world, worker } = this.#options
    // Returning what was held before ends with the removal of the same item.
    await Promise.allSettled([this.#leaving.get(run)])
    await world.ledger.update({ key: ledgerKeys.holding(worker, run), set: { run } })
  }

  async #reclaim(spending: RunSpending): Promise<boolean> {
    for (const block of spending.blocks) block.close()
    const flushed = await Promise.all([...spending.blocks].map((block) => this.#flush(spending, block)))
    return flushed.includes(true)
  }

  /**
   * The answer need not wait until its cost is in the ledger: dying before that leaves the reservation, which counts too.
   * A failure comes up at the next reservation, or when everything is waited for.
   */
  #setAside(settling: Promise<void>): void {
    const counted = settling
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#aside.delete(counted))
    this.#aside.add(counted)
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure !== null) throw failure
  }
}

function nameOf({ run, endpoint, model }: Purpose): string {
  return JSON.stringify([run, endpoint, model])
}
