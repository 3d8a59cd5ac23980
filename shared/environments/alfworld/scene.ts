import type { Facts } from '../planning/facts.ts'
import type { PlanningTask } from '../planning/planning-task.ts'
import type { EntityNames } from './entity-names.ts'
import type { Scene } from './render-text.ts'
import { negation } from './state.ts'

export function createScenes(
  task: PlanningTask,
  names: EntityNames,
): (facts: Facts, off: readonly number[]) => Scene {
  const literals = new Map<number, { predicate: string; objects: readonly string[] }>()
  const literalOf = (fact: number) => {
    let known = literals.get(fact)
    if (known === undefined) {
      known = task.literal(fact)
      literals.set(fact, known)
    }
    return known
  }
  const statics = new Map<string, (readonly string[])[]>()
  const staticFactsOf = (predicate: string) => {
    let known = statics.get(predicate)
    if (known === undefined) {
      known = task.factsOf([], predicate).map((fact) => literalOf(fact).objects)
      statics.set(predicate, known)
    }
    return known
  }
  const members = new Map<string, ReadonlySet<string>>()
  const membersOf = (type: string) => {
    let known = members.get(type)
    if (known === undefined) {
      known = new Set(task.objectsOfType(type).map((object) => task.objects[object] ?? ''))
      members.set(type, known)
    }
    return known
  }
  return (facts, off) => ({
    nameOf: names.nameOf,
    isOfType: (object, type) => membersOf(type).has(object),
    factsOf(predicate) {
      if (predicate.startsWith(negation)) {
        const denied = predicate.slice(negation.length)
        return off
          .map(literalOf)
          .flatMap((literal) => (literal.predicate === denied ? [literal.objects] : []))
      }
      if (task.isStatic(predicate)) return staticFactsOf(predicate)
      return task.factsOf(facts, predicate).map((fact) => literalOf(fact).objects)
    },
  })
}
