import type { Attempt } from '../attempt.ts'
import { readTrees } from './find-rows.ts'
import { type NoPath, type ToldPath, tellPath } from './tell-path.ts'

/** Ways that memory holds: of tasks with more attempts, some are read again. */
const mostKept = 256

/** The ways to the answers of a task's attempts, in bounded memory however many attempts there are. */
export class AnswerWays {
  readonly #kept = new Map<Attempt, ToldPath>()
  readonly #signal: AbortSignal | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Why each way that cannot be told cannot be. */
  async untold(attempts: readonly Attempt[]): Promise<Map<Attempt, NoPath>> {
    const reasons = new Map<Attempt, NoPath>()
    const ways = readTrees(attempts, (tree) => tellPath(tree, tree.best), this.#signal)
    for await (const { attempt, found } of ways) {
      if (typeof found === 'string') reasons.set(attempt, found)
      else this.#keep(attempt, found)
    }
    return reasons
  }

  /** The way of an attempt that can be told. */
  async of(attempt: Attempt): Promise<ToldPath> {
    const known = this.#kept.get(attempt)
    if (known !== undefined) return known
    this.#signal?.throwIfAborted()
    const tree = await attempt.tree()
    const way = tellPath(tree, tree.best)
    if (typeof way === 'string') throw new Error(`The way of ${attempt.episode} cannot be told: ${way}.`)
    this.#keep(attempt, way)
    return way
  }

  #keep(attempt: Attempt, way: ToldPath): void {
    const oldest = this.#kept.size >= mostKept ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(attempt, way)
  }
}
