const enough = 6

export class AnswerTimes {
  readonly #runs = new Map<string, { answers: number; seconds: number }>()
  readonly #judge: (run: string, seconds: number) => unknown

  /** @param judge - called once for each run, with the mean of its first answers in seconds */
  constructor(judge: (run: string, seconds: number) => unknown) {
    this.#judge = judge
  }

  note(run: string, milliseconds: number): void {
    const known = this.#runs.get(run) ?? { answers: 0, seconds: 0 }
    if (known.answers >= enough) return
    const answers = known.answers + 1
    const seconds = known.seconds + milliseconds / 1000
    this.#runs.set(run, { answers, seconds })
    if (answers === enough) this.#judge(run, seconds / answers)
  }
}
