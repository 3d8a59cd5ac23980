import type { Attempt } from '../attempt.ts'
import { readTrees } from './find-rows.ts'
import { type RenderedPath, renderPath, type UnrenderableReason } from './render-path.ts'

/** Paths that memory holds: of tasks with more attempts, some are read again. */
const mostKept = 256

/** The paths to the answers of a task's attempts, in bounded memory however many attempts there are. */
export class AnswerPaths {
  readonly #kept = new Map<Attempt, RenderedPath>()
  readonly #signal: AbortSignal | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** The attempts whose answer path cannot be rendered, with the reason of each. */
  async unrenderable(attempts: readonly Attempt[]): Promise<Map<Attempt, UnrenderableReason>> {
    const reasons = new Map<Attempt, UnrenderableReason>()
    const paths = readTrees(attempts, (tree) => renderPath(tree, tree.best), this.#signal)
    for await (const { attempt, found } of paths) {
      if (typeof found === 'string') reasons.set(attempt, found)
      else this.#keep(attempt, found)
    }
    return reasons
  }

  /** The path of an attempt, which must be one that can be rendered. */
  async of(attempt: Attempt): Promise<RenderedPath> {
    const known = this.#kept.get(attempt)
    if (known !== undefined) return known
    this.#signal?.throwIfAborted()
    const tree = await attempt.tree()
    const path = renderPath(tree, tree.best)
    if (typeof path === 'string')
      throw new Error(`The path of ${attempt.episode} cannot be rendered: ${path}.`)
    this.#keep(attempt, path)
    return path
  }

  #keep(attempt: Attempt, path: RenderedPath): void {
    const oldest = this.#kept.size >= mostKept ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(attempt, path)
  }
}
