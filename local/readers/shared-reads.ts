interface Running<Answer> {
  ended: Promise<void>
  next: Promise<Answer> | null
}

/**
 * Lets equal reads that wait share one answer. A read joins only one that has not begun, so it sees every change that
 * was made before it was asked.
 */
export class SharedReads<Answer> {
  readonly #running = new Map<string, Running<Answer>>()

  ask(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(key)
    if (running === undefined) return this.#begin(key, read)
    running.next ??= running.ended.then(() => this.#begin(key, read))
    return running.next
  }

  #begin(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const answer = read()
    const settled = () => {
      if (running.next === null) this.#running.delete(key)
    }
    const running: Running<Answer> = { ended: answer.then(settled, settled), next: null }
    this.#running.set(key, running)
    return answer
  }
}
