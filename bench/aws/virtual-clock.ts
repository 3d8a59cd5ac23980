import type { Clock } from '../../shared/core/world/ports.ts'

interface Sleeper {
  at: number
  order: number
  wake: () => void
}

/**
 * A clock whose time advances only while everything waits for it, so that simulated hours take only their
 * computation. It ignores real input and output: all simulated code must wait for this clock only.
 */
export class VirtualClock implements Clock {
  #now = 1_700_000_000_000
  #order = 0
  readonly #sleepers: Sleeper[] = []

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.#order += 1
      this.#push({ at: this.#now + Math.max(0, milliseconds), order: this.#order, wake })
    })
  }

  /**
   * Advances time until the work is done.
   * @throws the work's error, and an error if nothing is left to wait for
   */
  async runUntil<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (isDone) return work
      const next = this.#pop()
      if (next === undefined) throw new Error('Everything waits, and nothing for the clock.')
      this.#now = next.at
      next.wake()
      while (this.#sleepers[0]?.at === this.#now) this.#pop()?.wake()
    }
  }

  #push(sleeper: Sleeper): void {
    const heap = this.#sleepers
    let at = heap.push(sleeper) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at] as Sleeper, heap[parent] as Sleeper)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  #pop(): Sleeper | undefined {
    const heap = this.#sleepers
    if (heap.length === 0) return undefined
    this.#swap(0, heap.length - 1)
    const first = heap.pop()
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child] as Sleeper, heap[least] as Sleeper)) least = child
      }
      if (least === at) return first
      this.#swap(at, least)
      at = least
    }
  }

  #swap(left: number, right: number): void {
    const heap = this.#sleepers
    const kept = heap[left] as Sleeper
    heap[left] = heap[right] as Sleeper
    heap[right] = kept
  }
}

function isBefore(left: Sleeper, right: Sleeper): boolean {
  return left.at === right.at ? left.order < right.order : left.at < right.at
}
