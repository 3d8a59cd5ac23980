import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import type { Attempt } from '../attempt.ts'
import type { KindScope } from '../kind.ts'
import { readTrees } from './find-rows.ts'
import type { RenderedPath } from './render-path.ts'
import { renderWhole } from './render-whole.ts'

type PathScope = Pick<KindScope, 'pictures' | 'signal'>

/** Maximum number of paths in memory: of tasks with more attempts, some are read again. */
const mostKept = 256

export class AnswerPaths {
  readonly #kept = new Map<Attempt, RenderedPath>()
  readonly #scope: PathScope

  constructor(scope: PathScope) {
    this.#scope = scope
  }

  async unrenderable(attempts: readonly Attempt[]): Promise<Map<Attempt, LeftOutReason>> {
    const reasons = new Map<Attempt, LeftOutReason>()
    const render = (tree: Tree, attempt: Attempt) => renderWhole(tree, tree.best, attempt, this.#scope)
    const paths = readTrees(attempts, render, this.#scope.signal)
    for await (const { attempt, found } of paths) {
      if (typeof found === 'string') reasons.set(attempt, found)
      else this.#keep(attempt, found)
    }
    return reasons
  }

  async of(attempt: Attempt): Promise<RenderedPath> {
    const known = this.#kept.get(attempt)
    if (known !== undefined) return known
    this.#scope.signal?.throwIfAborted()
    const tree = await attempt.tree()
    const path = renderWhole(tree, tree.best, attempt, this.#scope)
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
