import type { Ledger, LedgerChange, LedgerKey } from '../../world/ports.ts'
import { addCounted, type Counted, nothingCounted } from './counted.ts'

interface Count {
  block: LedgerChange
  spending: LedgerKey
  counted: Counted
  isDone: PromiseWithResolvers<boolean>
}

/** With a spending row each, at most the hundred changes of a transaction. */
const mostTogether = 50

/**
 * Writes what blocks count: the change of each block, and what its calls add to their run's spending, in one
 * transaction. Blocks that are counted while one transaction is under way share the next one. Else each would wait for
 * all before it, because they change the same spending row.
 */
export class SharedCounts {
  readonly #ledger: Pick<Ledger, 'transact'>
  #waiting: Count[] = []
  #isWriting = false

  constructor(ledger: Pick<Ledger, 'transact'>) {
    this.#ledger = ledger
  }

  /** @returns false if the block is not as the change's conditions say: then nothing of it is counted */
  async write(block: LedgerChange, spending: LedgerKey, counted: Counted): Promise<boolean> {
    const isDone = Promise.withResolvers<boolean>()
    this.#waiting.push({ block, spending, counted, isDone })
    if (!this.#isWriting) void this.#writeAll()
    return isDone.promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#writeTogether(this.#waiting.splice(0, mostTogether))
    this.#isWriting = false
  }

  async #writeTogether(counts: readonly Count[]): Promise<void> {
    try {
      const written = await this.#ledger.transact([...counts.map(({ block }) => block), ...sums(counts)])
      if (written.ok) {
        for (const { isDone } of counts) isDone.resolve(true)
        return
      }
      const refused = counts[written.failed]
      if (refused === undefined)
        throw new Error('What is added to spending has no condition, and was refused.')
      refused.isDone.resolve(false)
      const others = counts.filter((count) => count !== refused)
      if (others.length > 0) await this.#writeTogether(others)
    } catch (error) {
      for (const { isDone } of counts) isDone.reject(error)
    }
  }
}

function sums(counts: readonly Count[]): LedgerChange[] {
  const bySpending = Map.groupBy(counts, ({ spending: { partition, sort } }) =>
    JSON.stringify([partition, sort]),
  )
  return [...bySpending.values()].map((same) => ({
    key: (same[0] as Count).spending,
    add: { ...same.reduce((sum, { counted }) => addCounted(sum, counted), nothingCounted) },
  }))
}
