export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  get isBusy(): boolean {
    return this.#waiting > 0
  }

  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    this.#waiting += 1
    const result = this.#last.then(work)
    const release = (): void => {
      this.#waiting -= 1
    }
    this.#last = result.then(release, release)
    return result
  }

  async over(): Promise<void> {
    await this.#last
  }
}
