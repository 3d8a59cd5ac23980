import type { QueryAtom } from './parse-symbols.ts'

export interface FactView {
  /** The objects of all true facts of a predicate, in order. `not_…` selects facts that an action made untrue. */
  factsOf(predicate: string): readonly (readonly string[])[]
  isOfType(object: string, type: string): boolean
}

export type Bindings = ReadonlyMap<string, string>

/**
 * Finds all ways to bind the open variables so that all atoms are facts, in the order of the facts. As in TextWorld,
 * different variables stand for different objects, including those bound before.
 * @param limit Maximum number of solutions.
 */
export function solveQuery(
  query: readonly QueryAtom[],
  view: FactView,
  given: Bindings,
  limit = Number.POSITIVE_INFINITY,
): Bindings[] {
  const solutions: Bindings[] = []
  const bindings = new Map(given)
  const used = new Set(given.values())
  const search = (depth: number): void => {
    const atom = query[depth]
    if (atom === undefined) {
      solutions.push(new Map(bindings))
      return
    }
    for (const objects of view.factsOf(atom.predicate)) {
      const bound = bind(atom, objects)
      if (bound !== null) {
        search(depth + 1)
        unbind(bound)
        if (solutions.length >= limit) return
      }
    }
  }
  const bind = ({ parameters }: QueryAtom, objects: readonly string[]): string[] | null => {
    if (objects.length !== parameters.length) return null
    const bound: string[] = []
    for (const [place, { key, type }] of parameters.entries()) {
      const object = objects[place] ?? ''
      const known = bindings.get(key)
      if (known === object) continue
      if (known !== undefined || used.has(object) || !view.isOfType(object, type)) {
        unbind(bound)
        return null
      }
      bindings.set(key, object)
      used.add(object)
      bound.push(key)
    }
    return bound
  }
  const unbind = (keys: readonly string[]): void => {
    for (const key of keys) {
      used.delete(bindings.get(key) ?? '')
      bindings.delete(key)
    }
  }
  search(0)
  return solutions
}
