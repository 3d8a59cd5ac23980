export interface AnswerTimes {
  count: number
  failed: number
  median: number
  p99: number
  longest: number
}

export class Times {
  readonly #times: number[] = []
  #failed = 0

  async time(ask: () => Promise<unknown>): Promise<void> {
    const began = performance.now()
    try {
      await ask()
    } catch {
      this.#failed += 1
    }
    this.#times.push(performance.now() - began)
  }

  summary(): AnswerTimes {
    const sorted = this.#times.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    return {
      count: sorted.length,
      failed: this.#failed,
      median: at(0.5),
      p99: at(0.99),
      longest: sorted.at(-1) ?? 0,
    }
  }
}
