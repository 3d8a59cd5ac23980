import type { GateId } from '../../contracts/gates.ts'

/** Different reasons that are listed, the first ones; the rest are only counted by the gate. */
const mostListed = 5

/** What was wrong with rows that the format or the loss mask kept out, in the words a reader of the dataset finds. */
export class RowFaults {
  readonly #counts = new Map<string, number>()

  add(gate: GateId, mask: string | null, unfit: string | null): void {
    if (gate === 'wrong_loss_mask') this.#count(`with a wrong loss mask: ${mask}`)
    if (gate === 'unfit') this.#count(`that the format cannot hold: ${unfit}`)
  }

  warnings(): string[] {
    return [...this.#counts]
      .slice(0, mostListed)
      .map(([fault, count]) => `Left out: ${count === 1 ? '1 row' : `${count} rows`} ${fault}.`)
  }

  #count(fault: string): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1)
  }
}
