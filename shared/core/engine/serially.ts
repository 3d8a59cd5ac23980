export class Serially {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(key, promise)
    try {
      await before
      return await action()
    } finally {
      if (this.#last.get(key) === promise) this.#last.delete(key)
      resolve()
    }
  }
}
