import type { LedgerChange, LedgerCondition, LedgerKey, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { type Amount, minus, noAmount, plus } from './amount.ts'
import {
  addCounted,
  amountOf,
  type Counted,
  countCall,
  lessCounted,
  nothingCounted,
  type Spent,
} from './counted.ts'
import type { SharedCounts } from './shared-counts.ts'

export type Purpose = { run: string; endpoint: string; model: string }

/**
 * A block in the ledger: the numbers of calls that may have been sent and are not counted yet, and their joint upper
 * bound. `unseen`: the number of these calls, if the sweeper presumed the worker dead and counted nothing for them,
 * because they had not arrived.
 */
export type BlockRow = Purpose & Amount & { calls: number[]; unseen?: number }

export function callId(worker: string, call: number): string {
  return `${worker}-${call}`
}

/** Takes a call from those that a block has unseen, unless another was taken meanwhile. */
export function withoutUnseen(key: LedgerKey, { calls, unseen = 0 }: BlockRow, call: number): LedgerChange {
  const left = calls.filter((other) => other !== call)
  const rest = left.length > 0 ? { set: { calls: left, unseen: left.length } } : { delete: true as const }
  return { key, ...rest, if: [{ attribute: 'unseen', is: 'equal', value: unseen }] }
}

export interface Flushed {
  released: Amount
  spent: Amount
  isOver: boolean
}

/**
 * Paid calls of one purpose, reserved together. The ledger holds them from before the first is sent until the last is
 * counted, so that a crash of this process loses none. One call a block is exact. Several calls a block cost fewer
 * writes, and a crash may leave calls counted that were never sent.
 */
export class CallBlock {
  readonly #world: World
  readonly #worker: string
  readonly #counts: SharedCounts
  readonly #first: number
  readonly purpose: Purpose
  #held: Amount
  #free: Amount
  #unused: number[]
  readonly #inFlight = new Map<number, Amount>()
  readonly #counted = new Map<number, Counted>()
  #isChanged = false
  #flushes = 0
  /** Flushes that failed since the last success: each may have been applied, with only its answer lost. */
  #unsure: Stored[] = []
  #flushing: Promise<unknown> = Promise.resolve()
  /** True once the sweeper presumed this worker dead, and settled the block. */
  #isSwept = false
  #isEnded = false

  private constructor(world: World, worker: string, { counts, purpose, held, calls }: BlockOptions) {
    this.#world = world
    this.#worker = worker
    this.#counts = counts
    this.#first = calls[0] as number
    this.#held = held
    this.#free = held
    this.#unused = calls
    this.purpose = purpose
  }

  static async open(world: World, worker: string, options: BlockOptions): Promise<CallBlock> {
    const { counts, purpose, held, calls } = options
    const row: BlockRow = { ...purpose, ...held, calls }
    await world.ledger.update({
      key: ledgerKeys.reservation(worker, callId(worker, calls[0] as number)),
      set: row,
    })
    return new CallBlock(world, worker, { counts, purpose, held, calls: [...calls] })
  }

  get hasUnused(): boolean {
    return this.#unused.length > 0
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0
  }

  /** False if a flush would change nothing and none is under way. */
  get isUnsettled(): boolean {
    return this.#isChanged || this.#flushes > 0
  }

  lend(bound: Amount): number | null {
    const call = this.#unused[0]
    if (call === undefined || this.#free.cost < bound.cost || this.#free.tokens < bound.tokens) return null
    this.#unused.shift()
    this.#free = minus(this.#free, bound)
    this.#inFlight.set(call, bound)
    return call
  }

  settle(call: number, spent: Spent): boolean {
    const bound = this.#inFlight.get(call)
    if (bound === undefined) throw new Error(`The call ${callId(this.#worker, call)} was settled twice.`)
    this.#inFlight.delete(call)
    this.#counted.set(call, countCall(spent, bound))
    this.#isChanged = true
    return this.#isOver
  }

  close(): void {
    if (this.#unused.length === 0) return
    this.#unused = []
    this.#isChanged = true
  }

  flush(): Promise<Flushed | null> {
    this.#flushes += 1
    const inTurn = async () => {
      try {
        return await this.#flush()
      } finally {
        this.#flushes -= 1
      }
    }
    const flushed = this.#flushing.then(inTurn, inTurn)
    this.#flushing = flushed
    return flushed
  }

  get #isOver(): boolean {
    return this.#unused.length === 0 && this.#inFlight.size === 0
  }

  async #flush(): Promise<Flushed | null> {
    if (this.#isSwept) return this.#endSwept()
    if (this.#isEnded || !this.#isChanged) return null
    const stored = await this.#findStored()
    const settled = [...this.#counted]
    const counted = settled.reduce((sum, [, each]) => addCounted(sum, each), nothingCounted)
    const isOver = this.#isOver
    const calls = [...this.#inFlight.keys(), ...this.#unused]
    const lent = [...this.#inFlight.values()].reduce(plus, noAmount)
    const kept = this.#unused.length === 0 ? lent : plus(lent, this.#free)
    this.#isChanged = false
    let recorded: boolean
    try {
      recorded = await this.#record(
        stored,
        lessCounted(counted, stored.counted),
        isOver ? null : { ...kept, calls },
      )
      this.#unsure = []
    } catch (error) {
      this.#isChanged = true
      this.#unsure.push({ held: kept, counted })
      throw error
    }
    if (!recorded) {
      this.#isSwept = true
      this.#unused = []
      return this.#endSwept()
    }
    for (const [call] of settled) this.#counted.delete(call)
    this.#isEnded = isOver
    const left = isOver ? noAmount : kept
    const released = minus(this.#held, left)
    this.#held = left
    return { released, spent: amountOf(counted), isOver }
  }

  /** Counts the calls that the sweeper has not counted, and releases the rest. After a failure the block stays unsettled. */
  async #endSwept(): Promise<Flushed | null> {
    if (this.#isEnded) return null
    this.#isChanged = true
    await this.#countUnseen()
    this.#isChanged = false
    const released = this.#held
    this.#held = noAmount
    this.#isEnded = this.#isOver
    const isNew = released.cost > 0 || released.tokens > 0 || this.#isEnded
    return isNew ? { released, spent: released, isOver: this.#isEnded } : null
  }

  get #key(): LedgerKey {
    return ledgerKeys.reservation(this.#worker, callId(this.#worker, this.#first))
  }

  async #findStored(): Promise<Stored> {
    const sure = { held: this.#held, counted: nothingCounted }
    if (this.#unsure.length === 0) return sure
    const row = (await this.#world.ledger.get(this.#key)) as BlockRow | null
    const isStored = ({ held }: Stored) =>
      row?.unseen === undefined && row?.cost === held.cost && row?.tokens === held.tokens
    return this.#unsure.findLast(isStored) ?? sure
  }

  /** Counts calls of this block that the sweeper took for never sent. It has counted all others. */
  async #countUnseen(): Promise<void> {
    const { ledger } = this.#world
    for (const [call, counted] of this.#counted) {
      const row = (await ledger.get(this.#key)) as BlockRow | null
      if (row?.unseen !== undefined && row.calls.includes(call)) {
        const spending = ledgerKeys.spending(this.purpose.run, this.#worker)
        const done = await ledger.transact([
          withoutUnseen(this.#key, row, call),
          { key: spending, add: { ...counted } },
        ])
        // The sweeper took another of these calls meanwhile.
        if (!done.ok) return this.#countUnseen()
      }
      this.#counted.delete(call)
    }
  }

  /** @returns false if the sweeper presumed this worker dead, and has counted the block */
  async #record(
    { held }: Stored,
    counted: Counted,
    rest: (Amount & { calls: number[] }) | null,
  ): Promise<boolean> {
    const asStored: LedgerCondition[] = [
      { attribute: 'cost', is: 'equal', value: held.cost },
      { attribute: 'tokens', is: 'equal', value: held.tokens },
    ]
    const block: LedgerChange = { key: this.#key, if: asStored, ...(rest ? { set: rest } : { delete: true }) }
    if (counted.model_calls === 0) {
      return (await this.#world.ledger.update(block)).ok
    }
    const spending = ledgerKeys.spending(this.purpose.run, this.#worker)
    return this.#counts.write(block, spending, counted)
  }
}

interface Stored {
  held: Amount
  counted: Counted
}

interface BlockOptions {
  counts: SharedCounts
  purpose: Purpose
  held: Amount
  calls: number[]
}
