import type { LedgerKey } from '../ports.ts'
import { partsOf, spreadRun, storedPartition } from './spread-partitions.ts'

/** So many runs are remembered. */
const mostRuns = 1000

/**
 * Where items lie. The partitions of runs of earlier versions are not spread: whether a run is such a one is looked up once, by
 * whether it has episodes under the plain key.
 */
export class PartitionLayout {
  readonly #hasItems: (partition: string) => Promise<boolean>
  readonly #earlier = new Map<string, Promise<boolean>>()

  /** @param hasItems - whether anything lies under a partition key */
  constructor(hasItems: (partition: string) => Promise<boolean>) {
    this.#hasItems = hasItems
  }

  async locate<Key extends LedgerKey>(key: Key): Promise<LedgerKey> {
    return (await this.#isSpread(key.partition)) ? { ...key, partition: storedPartition(key) } : key
  }

  /** The partition keys under which the items of a partition lie. */
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
