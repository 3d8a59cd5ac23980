import { selfFeeding } from '../../../infra/function-names.ts'
import { continueLineage, type Lineage } from './lineage.ts'

/** After so many invocations of a function in one chain Lambda stops the next. */
export const invocationsOfLoop = 16

/** Lambda's detection of recursive loops, for the functions of one stage. */
export class LoopDetection {
  /** Those with `RecursiveLoop: Allow`, as the template sets it unless a test sets others. */
  allowed: ReadonlySet<string> = selfFeeding
  readonly #longest = new Map<string, number>()
  readonly #dropped = new Map<string, number>()

  /** Whether a message of this chain may invoke the function. One that may not is counted as dropped. */
  mayInvoke(name: string, lineage: Lineage): boolean {
    if (this.allowed.has(name) || (lineage.get(name) ?? 0) < invocationsOfLoop) return true
    this.#dropped.set(name, this.dropped(name) + 1)
    return false
  }

  /** The chain of an invocation that is made now. */
  invoked(name: string, before: readonly Lineage[]): Lineage {
    const lineage = continueLineage(before, name)
    this.#longest.set(name, Math.max(this.longest(name), lineage.get(name) ?? 0))
    return lineage
  }

  /** Invocations of a function in the longest chain that there was. */
  longest(name: string): number {
    return this.#longest.get(name) ?? 0
  }

  /** Messages of a function that were dropped, as CloudWatch's `RecursiveInvocationsDropped`. */
  dropped(name: string): number {
    return this.#dropped.get(name) ?? 0
  }

  /** Counts anew, for another case on the same stage. */
  forget(): void {
    this.#longest.clear()
    this.#dropped.clear()
  }
}
