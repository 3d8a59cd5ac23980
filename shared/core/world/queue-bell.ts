import { longestTimer } from './system-clock.ts'

export class QueueBell {
  readonly #sleepers = new Set<() => void>()
  #rings = 0

  get rings(): number {
    return this.#rings
  }

  ring(): void {
    this.#rings += 1
    for (const wake of this.#sleepers) wake()
  }

  wait(rings: number, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (rings !== this.#rings || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.min(Math.max(0, milliseconds), longestTimer))
      this.#sleepers.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }
}
