import { EspalierError } from '../../core/contracts/errors.ts'
import { type Facts, sortedFacts } from './facts.ts'
import type { Atom, Effect } from './formula.ts'
import type { Domain } from './parse-domain.ts'
import type { Problem } from './parse-problem.ts'
import { rootType } from './typed-names.ts'

export interface Predicate {
  readonly name: string
  readonly base: number
  readonly weights: readonly number[]
  readonly isStatic: boolean
}

export interface FactSpace {
  readonly objects: readonly string[]
  objectNumber(name: string): number | undefined
  predicate(name: string): Predicate | undefined
  predicateOf(fact: number): Predicate
  objectsOf(predicate: Predicate, fact: number): number[]
  ofTypes(types: readonly string[]): readonly number[]
  typeOf(object: number): string
  /** The number of a fact without variables. @throws EspalierError `invalid_request` */
  factOf(atom: Atom): number
  readonly staticFacts: Facts
  isStaticFact(fact: number): boolean
  readonly initial: Facts
  countAtFirst(predicate: string): number
}

/**
 * Numbers all possible facts of a problem without listing them: a fact is its predicate's base plus its objects'
 * numbers as digits. Numbers therefore depend on the two texts alone, and facts are sorted by predicate, then by
 * objects.
 */
export function createFactSpace(domain: Domain, problem: Problem): FactSpace {
  const declared = new Map([...domain.constants, ...problem.objects].map(({ name, types }) => [name, types]))
  const objects = [...declared.keys()].sort()
  const numbers = new Map(objects.map((name, number) => [name, number]))
  const changed = new Set(domain.actions.flatMap(({ effects }) => changedPredicates(effects)))
  const predicates = new Map<string, Predicate>()
  const ordered: Predicate[] = []
  let base = 0
  for (const [name, arity] of domain.predicates) {
    const weights = Array.from({ length: arity }, (_none, place) => objects.length ** (arity - 1 - place))
    const predicate = { name, base, weights, isStatic: !changed.has(name) }
    predicates.set(name, predicate)
    ordered.push(predicate)
    base += objects.length ** arity
    if (!Number.isSafeInteger(base)) {
      throw invalid(problem, `"${name}" has ${arity} terms, too many for ${objects.length} objects`)
    }
  }

  const parents = new Map(domain.types.map(({ name, types }) => [name, types]))
  const kinds = new Map<string, ReadonlySet<string>>()
  const kindsOf = (type: string): ReadonlySet<string> => {
    const known = kinds.get(type)
    if (known) return known
    const all = new Set([type, rootType])
    for (const kind of all) for (const parent of parents.get(kind) ?? []) all.add(parent)
    kinds.set(type, all)
    return all
  }
  const byType = new Map<string, number[]>()
  for (const [number, name] of objects.entries()) {
    for (const kind of new Set((declared.get(name) ?? []).flatMap((type) => [...kindsOf(type)]))) {
      const members = byType.get(kind)
      if (members) members.push(number)
      else byType.set(kind, [number])
    }
  }

  const factOf = ({ predicate: name, terms }: Atom): number => {
    const predicate = predicates.get(name)
    if (predicate === undefined) throw invalid(problem, `the domain declares no predicate "${name}"`)
    if (terms.length !== predicate.weights.length) {
      throw invalid(problem, `"${name}" takes ${predicate.weights.length} objects, not ${terms.length}`)
    }
    return terms.reduce((fact, term, place) => {
      const number = numbers.get(term)
      if (number === undefined)
        throw invalid(problem, `there is no object "${term}", which "${name}" is about`)
      return fact + number * (predicate.weights[place] as number)
    }, predicate.base)
  }
  const isStatic = ({ predicate }: Atom) => predicates.get(predicate)?.isStatic === true
  const staticFacts = sortedFacts(problem.initial.filter(isStatic).map(factOf))
  const counts = new Map<string, number>()
  for (const { predicate } of problem.initial) counts.set(predicate, (counts.get(predicate) ?? 0) + 1)
  const staticSet = new Set(staticFacts)
  return {
    objects,
    objectNumber: (name) => numbers.get(name),
    predicate: (name) => predicates.get(name),
    predicateOf: (fact) => ordered.findLast((predicate) => predicate.base <= fact) as Predicate,
    objectsOf: ({ base, weights }, fact) =>
      weights.map((weight) => Math.floor((fact - base) / weight) % objects.length),
    ofTypes: (types) => {
      const [only = rootType] = types
      return types.length === 1
        ? (byType.get(only) ?? [])
        : sortedFacts(types.flatMap((type) => byType.get(type) ?? []))
    },
    typeOf: (object) => declared.get(objects[object] as string)?.[0] ?? rootType,
    factOf,
    countAtFirst: (predicate) => counts.get(predicate) ?? 1,
    staticFacts,
    isStaticFact: (fact) => staticSet.has(fact),
    initial: sortedFacts(problem.initial.filter((atom) => !isStatic(atom)).map(factOf)),
  }
}

function changedPredicates(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) =>
    'effects' in effect ? changedPredicates(effect.effects) : [effect.predicate],
  )
}

function invalid({ name }: Problem, reason: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    `The PDDL problem "${name}" does not fit its domain: ${reason}.`,
  )
}
