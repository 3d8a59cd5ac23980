import type { Clock, Ledger, LedgerKey } from '../ports.ts'

const kept = 30 * 24 * 3600 * 1000

export interface LaunchRecord {
  image: string
  task: string | null
  /**
   * True if Spot had no capacity: from then on the launch is tried on demand alone, so that it cannot happen twice.
   */
  on_demand: boolean
  asked_at: number
}

/** The task that a token launched: ECS itself forgets a task an hour after it stopped. */
export class LaunchRecords {
  readonly #ledger: Ledger
  readonly #clock: Clock

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger
    this.#clock = clock
  }

  async open(token: string, image: string): Promise<LaunchRecord> {
    const now = this.#clock.now()
    const { item } = await this.#ledger.update({
      key: keyOf(token),
      set: { image, on_demand: false, asked_at: now },
      if: [{ is: 'absent' }],
      expires_at: now + kept,
    })
    return {
      image: typeof item?.image === 'string' ? item.image : image,
      task: typeof item?.task === 'string' ? item.task : null,
      on_demand: item?.on_demand === true,
      asked_at: typeof item?.asked_at === 'number' ? item.asked_at : now,
    }
  }

  async goOnDemand(token: string): Promise<void> {
    await this.#ledger.update({ key: keyOf(token), set: { on_demand: true } })
  }

  async keep(token: string, task: string): Promise<void> {
    await this.#ledger.update({ key: keyOf(token), set: { task } })
  }
}

function keyOf(token: string): LedgerKey {
  return { partition: `host-launches/${token}`, sort: 'launch' }
}
