import { applyChange, conditionsHold } from '../../shared/core/world/apply-change.ts'
import type { Ledger, LedgerItem, LedgerKey } from '../../shared/core/world/ports.ts'

/**
 * A ledger in memory that makes each change at once: for tests and models that decide themselves what happens between two of them,
 * and how long each takes.
 */
export class MemoryLedger implements Ledger {
  readonly #partitions = new Map<string, Map<string, LedgerItem>>()

  async get({ partition, sort }: LedgerKey): Promise<LedgerItem | null> {
    return this.read({ partition, sort })
  }

  async update(change: Parameters<Ledger['update']>[0]): ReturnType<Ledger['update']> {
    const before = this.read(change.key)
    if (!conditionsHold(before, change.if)) return { ok: false, item: before }
    const item = applyChange(before, change)
    this.#write(change.key, item)
    return { ok: true, item }
  }

  async transact(changes: Parameters<Ledger['transact']>[0]): ReturnType<Ledger['transact']> {
    const items = changes.map(({ key }) => this.read(key))
    const failed = changes.findIndex((change, at) => !conditionsHold(items[at] ?? null, change.if))
    if (failed >= 0) return { ok: false, failed }
    for (const [at, change] of changes.entries())
      this.#write(change.key, applyChange(items[at] ?? null, change))
    return { ok: true }
  }

  async query(partition: string, options: Parameters<Ledger['query']>[1] = {}): ReturnType<Ledger['query']> {
    const { prefix = '', after, limit = 1000, reverse = false } = options
    const items = [...(this.#partitions.get(partition) ?? new Map<string, LedgerItem>())]
      .map(([sort, item]) => ({ sort, item }))
      .filter(({ sort }) => sort.startsWith(prefix))
      .filter(({ sort }) => after === undefined || (reverse ? sort < after : sort > after))
      .sort((left, right) => (left.sort < right.sort ? -1 : 1) * (reverse ? -1 : 1))
    return { items: items.slice(0, limit), more: items.length > limit }
  }

  read({ partition, sort }: LedgerKey): LedgerItem | null {
    return this.#partitions.get(partition)?.get(sort) ?? null
  }

  #write({ partition, sort }: LedgerKey, item: LedgerItem | null): void {
    const items = this.#partitions.get(partition) ?? new Map<string, LedgerItem>()
    this.#partitions.set(partition, items)
    if (item === null) items.delete(sort)
    else items.set(sort, structuredClone(item))
  }
}
