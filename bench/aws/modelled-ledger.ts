import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { storedPartition } from '../../shared/core/world/aws/spread-partitions.ts'
import type { Ledger, LedgerChange, LedgerKey } from '../../shared/core/world/ports.ts'
import { MemoryLedger } from '../../test/support/memory-ledger.ts'
import { contentionAssumptions as assumptions } from './contention-assumptions.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface LedgerCounts {
  transactions: number
  conflicts: number
  written: number
  throttled: number
  gaveUp: number
}

export class ModelledLedger implements Ledger {
  readonly counts: LedgerCounts = { transactions: 0, conflicts: 0, written: 0, throttled: 0, gaveUp: 0 }
  readonly #memory = new MemoryLedger()
  readonly #locked = new Set<string>()
  readonly #busy = new Map<string, number>()
  readonly #clock: VirtualClock
  readonly #random: () => number

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  async get(key: LedgerKey): ReturnType<Ledger['get']> {
    await this.#pass(key, 'read', unitsOf(await this.#memory.get(key), 4096))
    await this.#take(assumptions.get)
    return this.#memory.get(key)
  }

  async query(partition: string, options: Parameters<Ledger['query']>[1] = {}): ReturnType<Ledger['query']> {
    await this.#take(assumptions.query)
    const page = await this.#memory.query(partition, options)
    for (const { sort, item } of page.items)
      this.#charge({ partition, sort }, 'read', unitsOf(item, 4096) / 4)
    return page
  }

  update(change: LedgerChange): ReturnType<Ledger['update']> {
    // As in the driver: a change that must not happen twice is a transaction.
    const isTransaction = change.delete === true || change.add !== undefined
    return this.#change([change], isTransaction, () => this.#memory.update(change))
  }

  transact(changes: LedgerChange[]): ReturnType<Ledger['transact']> {
    return this.#change(changes, true, () => this.#memory.transact(changes))
  }

  async #change<Answer>(
    changes: LedgerChange[],
    isTransaction: boolean,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const { firstPause, longestPause, transaction, transactionPerItem, tries, update } = assumptions
    const names = changes.map(({ key }) => JSON.stringify(key))
    for (let tried = 1; ; tried += 1) {
      await Promise.all(changes.map((change) => this.#passChange(change, isTransaction)))
      if (isTransaction) this.counts.transactions += 1
      if (!names.some((name) => this.#locked.has(name))) break
      this.counts.conflicts += 1
      await this.#take(update)
      if (tried === tries) {
        this.counts.gaveUp += 1
        throw new EspalierError('storage_failed', 'The change met others each time.')
      }
      await this.#clock.sleep(this.#random() * Math.min(longestPause, firstPause * 2 ** (tried - 1)))
    }
    if (isTransaction) for (const name of names) this.#locked.add(name)
    const answer = make()
    await this.#take(isTransaction ? transaction + transactionPerItem * changes.length : update)
    if (isTransaction) for (const name of names) this.#locked.delete(name)
    return answer
  }

  #passChange(change: LedgerChange, isTransaction: boolean): Promise<void> {
    const before = this.#memory.read(change.key)
    const units = unitsOf({ ...before, ...change.set }, 1024) * (isTransaction ? 2 : 1)
    this.counts.written += units
    return this.#pass(change.key, 'write', units)
  }

  async #pass(key: LedgerKey, kind: 'read' | 'write', units: number): Promise<void> {
    const wait = this.#charge(key, kind, units)
    if (wait <= 0) return
    this.counts.throttled += wait
    await this.#clock.sleep(wait)
  }

  /** @returns the milliseconds to wait: a partition key serves one second's units ahead immediately */
  #charge(key: LedgerKey, kind: 'read' | 'write', units: number): number {
    const { readsPerPartition, writesPerPartition } = assumptions
    const name = `${kind} ${storedPartition(key)}`
    const now = this.#clock.now()
    const rate = kind === 'read' ? readsPerPartition : writesPerPartition
    const until = Math.max(now, this.#busy.get(name) ?? 0) + (units * 1000) / rate
    this.#busy.set(name, until)
    return until - now - 1000
  }

  #take(milliseconds: number): Promise<void> {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random())
    return this.#clock.sleep(milliseconds * Math.exp(assumptions.sigma * normal))
  }
}

function unitsOf(item: object | null, unit: number): number {
  return Math.max(1, Math.ceil(JSON.stringify(item ?? {}).length / unit))
}
