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
import { EpisodeTurns } from './episode-turns.ts'
import { foldSpending } from './fold-spending.ts'
import { SharedCounts } from './shared-counts.ts'

export interface SpendingOptions {
  world: World
  store: RunStore
  worker: string
  /**
   * Calls per reservation in the ledger. With 1, the calls of a killed process are known one by one. With more, there
   * are fewer writes, and a killed process may leave up to this many calls counted that it never sent.
   * @default 1
   */
  callsAtOnce?: number
  onWait?: () => void
}

interface RunSpending {
  held: Promise<void>
  allowance: Allowance
  blocks: Set<CallBlock>
  reserving: number
}

interface Lent {
  block: CallBlock
  call: number
}

/**
 * Counts this worker's money and tokens. Each call is first covered by the caps of its run and tenant ({@link
 * Allowance}), then reserved in the ledger at its upper bound ({@link CallBlock}), then sent, then settled. So a call
 * is counted even if its answer or this process is lost. The sweeper settles a dead worker's reservations.
 */
export class Spending {
  readonly #options: SpendingOptions
  readonly #callsAtOnce: number
  readonly #counts: SharedCounts
  readonly #runs = new Map<string, RunSpending>()
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #lending = new Map<string, CallBlock[]>()
  readonly #opening = new Map<string, { places: number; opened: Promise<unknown> }>()
  readonly #aside = new Set<Promise<void>>()
  #failure: unknown = null
  #calls = 0

  readonly turns: EpisodeTurns

  constructor(options: SpendingOptions) {
    this.#options = options
    this.turns = new EpisodeTurns({
      ...options,
      hold: (run) => this.#of(run).held,
      giveBack: async (run) => this.#runs.get(run)?.allowance.giveBack(),
    })
    this.#callsAtOnce = options.callsAtOnce ?? 1
    this.#counts = new SharedCounts(options.world.ledger)
  }

  meter(run: string, { endpoint, id: model }: Pick<ModelChoice, 'endpoint' | 'id'>): Meter {
    const purpose = { run, endpoint, model }
    const name = JSON.stringify([run, endpoint, model])
    return { reserve: (upperBound) => this.#reserve(purpose, name, upperBound) }
  }

  async update(row: RunRow): Promise<void> {
    this.turns.update(row)
    await this.#runs.get(row.id)?.allowance.update(row)
  }

  /**
   * Waits for the counts under way, so that a call whose answer is in a journal does not count as lost if this process
   * dies next. Several calls of one block are still counted after their last. The next reservation reports a failure.
   */
  async counted(): Promise<void> {
    await Promise.all(this.#aside)
  }

  /** Waits until the ledger counts every settled call of a run. @throws the error that prevented counting */
  async settled(run: string): Promise<void> {
    await this.counted()
    this.#throwFailure()
    const spending = this.#runs.get(run)
    if (!spending) return
    const unsettled = [...spending.blocks].filter((block) => block.isUnsettled)
    await Promise.all(unsettled.map((block) => this.#flush(spending, block)))
  }

  async leave(run: string): Promise<void> {
    this.turns.forget(run)
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

  async holdAgain(): Promise<void> {
    await forEach(this.#runs, async ([run, { allowance }]) => {
      await this.#hold(run)
      await allowance.giveBack()
    })
  }

  async leaveAll(): Promise<void> {
    await forEach([...this.#runs.keys()], (run) => this.leave(run))
    await Promise.all([...this.#aside, ...this.#leaving.values()])
    this.#throwFailure()
  }

  async #reserve(purpose: Purpose, name: string, { cost, tokens }: UpperBound): Promise<Reservation> {
    this.#throwFailure()
    const bound = { cost: toNano(cost), tokens }
    this.turns.note(purpose.run, bound)
    const spending = this.#of(purpose.run)
    spending.reserving += 1
    try {
      await spending.held
      for (;;) {
        const lent = this.#lend(name, bound) ?? (await this.#open(spending, purpose, name, bound))
        if (lent) return this.#toReservation(spending, lent)
      }
    } finally {
      spending.reserving -= 1
    }
  }

  #lend(name: string, bound: Amount): Lent | null {
    const blocks = this.#lending.get(name)
    if (!blocks) return null
    for (let at = blocks.length - 1; at >= 0; at -= 1) {
      const block = blocks[at] as CallBlock
      const call = block.lend(bound)
      if (!block.hasUnused) blocks.splice(at, 1)
      if (call !== null) return { block, call }
    }
    for (const block of blocks) block.close()
    this.#lending.delete(name)
    return null
  }

  /** Opens a block and lends its first call, or waits for a block that is being opened and has room: then null. */
  async #open(spending: RunSpending, purpose: Purpose, name: string, bound: Amount): Promise<Lent | null> {
    const before = this.#opening.get(name)
    if (before && before.places > 0) {
      before.places -= 1
      await before.opened
      return null
    }
    const opened = this.#openBlock(spending, purpose, name, bound)
    if (this.#callsAtOnce === 1) return opened
    const opening = { places: this.#callsAtOnce - 1, opened }
    this.#opening.set(name, opening)
    try {
      return await opened
    } finally {
      if (this.#opening.get(name) === opening) this.#opening.delete(name)
    }
  }

  async #openBlock(spending: RunSpending, purpose: Purpose, name: string, bound: Amount): Promise<Lent> {
    const { world, worker } = this.#options
    const { allowance, blocks } = spending
    const count = await allowance.take(bound, this.#callsAtOnce)
    const held = times(bound, count)
    const calls = Array.from({ length: count }, () => {
      this.#calls += 1
      return this.#calls
    })
    try {
      const block = await CallBlock.open(world, worker, { counts: this.#counts, purpose, held, calls })
      blocks.add(block)
      const call = block.lend(bound)
      if (call === null) throw new Error('A block that was just opened lends no call.')
      if (block.hasUnused) {
        const lending = this.#lending.get(name)
        if (lending) lending.push(block)
        else this.#lending.set(name, [block])
      }
      return { block, call }
    } catch (error) {
      allowance.settle(held, { cost: 0, tokens: 0 }, true)
      throw error
    }
  }

  #toReservation(spending: RunSpending, { block, call }: Lent): Reservation {
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
      allowance: new Allowance({
        world,
        store,
        run,
        worker,
        reclaim: () => this.#reclaim(spending),
        onCaps: (row, caps) => this.turns.see(row, caps),
        isNear: () => this.turns.isNear(run),
      }),
    }
    this.#runs.set(run, spending)
    held.catch(() => this.#runs.delete(run))
    return spending
  }

  async #hold(run: string): Promise<void> {
    const { world, worker } = this.#options
    // Returning the earlier hold ends with the removal of the same item.
    await Promise.allSettled([this.#leaving.get(run)])
    await world.ledger.update({ key: ledgerKeys.holding(worker, run), set: { run } })
  }

  async #reclaim(spending: RunSpending): Promise<boolean> {
    for (const block of spending.blocks) block.close()
    const flushed = await Promise.all([...spending.blocks].map((block) => this.#flush(spending, block)))
    return flushed.includes(true)
  }

  /**
   * Settles in the background: a crash before the ledger has the cost leaves the reservation, which counts too. The
   * next reservation or the final wait reports a failure.
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

/** Does the same for each, also after a failure. @throws the failure, or an AggregateError of several */
async function forEach<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await act(item).catch((error: unknown) => failures.push(error))
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} runs failed.`)
}
