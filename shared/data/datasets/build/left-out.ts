import { type LeftOutReason, leftOutReasons } from '../../../core/contracts/left-out-reasons.ts'

export class LeftOut {
  readonly #counts = new Map<string, number>()

  add(reason: LeftOutReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) {
      this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
    }
  }

  /** In the order of the list of reasons, so that equal counts are equal bytes. */
  counts(): Record<string, number> {
    const reasons = Object.keys(leftOutReasons).filter((reason) => this.#counts.has(reason))
    return Object.fromEntries(reasons.map((reason) => [reason, this.#counts.get(reason) ?? 0]))
  }
}
