import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from '../../threads/fair-queue.ts'

const usualBudgetMilliseconds = 10

/**
 * Shares the event loop among callers of synchronous work, such as reads of SQLite. Their awaits are microtasks, so a
 * loop over rows would otherwise hold the event loop until its end. Each turn has a time budget: callers that arrive
 * after it is spent, or while others wait, queue up. The callers of {@link as} take turns, and each caller's own work
 * stays in order.
 */
export class LoopTurns {
  readonly #budget: number
  readonly #caller = new AsyncLocalStorage<string>()
  readonly #waiting = new FairQueue<() => void>()
  #began: number | null = null

  /** @param options.budget milliseconds of a turn, @default 10 */
  constructor({ budget = usualBudgetMilliseconds }: { budget?: number } = {}) {
    this.#budget = budget
  }

  as<Result>(caller: string, action: () => Result): Result {
    return this.#caller.run(caller, action)
  }

  take(): Promise<void> | null {
    if (this.#began === null) this.#begin()
    if (this.#waiting.size === 0 && !this.#isSpent()) return null
    const caller = this.#caller.getStore() ?? ''
    return new Promise((resolve) => this.#waiting.add(caller, resolve))
  }

  #begin(): void {
    this.#began = performance.now()
    setImmediate(() => {
      this.#began = null
      this.#serve()
    })
  }

  #isSpent(): boolean {
    return this.#began !== null && performance.now() - this.#began >= this.#budget
  }

  #serve(): void {
    if (this.#waiting.size === 0) return
    if (this.#began === null) this.#begin()
    else if (this.#isSpent()) return
    this.#waiting.take()?.()
    // After all microtasks of the caller that continues: only then is the tick queue empty.
    queueMicrotask(() => process.nextTick(() => this.#serve()))
  }
}

export const loopTurns = new LoopTurns()
