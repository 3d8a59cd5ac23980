import type { LedgerKey } from '../ports.ts'
import { partsOf, spreadRun, storedPartition } from './spread-partitions.ts'

const mostRuns = 1000

/**
 * Locates items. Partitions of runs of earlier versions are not spread: one look-up per run finds out, by checking
 * for episodes under the plain key.
 */
export class PartitionLayout {
  readonly #hasItems: (partition: string) => Promise<boolean>
  readonly #earlier = new Map<string, Promise<boolean>>()

  constructor(hasItems: (partition: string) => Promise<boolean>) {
    this.#hasItems = hasItems
  }

  async locate<Key extends LedgerKey>(key: Key): Promise<LedgerKey> {
    return (await this.#isSpread(key.partition)) ? { ...key, partition: storedPartition(key) } : key
  }

  async parts(partition: string): Promise<string[]> {
    return (await this.#isSpread(partition)) ? partsOf(partition) : [partition]
  }

  async #isSpread(partition: string): Promise<boolean> {
    const run = spreadRun(partition)
    return run !== null && !(await this.#isEarlier(run))
  }

  #isEarlier(run: string): Promise<boolean> {
    const known = this.#earlier.get(run)
    if (known !== undefined) return known
    const looked = this.#hasItems(`${run}/episodes`)
    looked.catch(() => this.#earlier.delete(run))
    this.#earlier.set(run, looked)
    const oldest = this.#earlier.keys().next().value
    if (this.#earlier.size > mostRuns && oldest !== undefined) this.#earlier.delete(oldest)
    return looked
  }
}
