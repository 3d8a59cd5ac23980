import { EspalierError } from '../../core/contracts/errors.ts'
import type { FactSpace, Predicate } from './fact-space.ts'
import { type Facts, includesFact } from './facts.ts'
import { type Atom, type Formula, isVariable } from './formula.ts'
import type { TypedName } from './typed-names.ts'

/** The objects' numbers bound to the variables, by slot. One array is reused, so that nothing is allocated. */
export type Binding = number[]

export type CompiledCondition = (facts: Facts, binding: Binding) => boolean

export type Slots = ReadonlyMap<string, number>

export type Place = { readonly slot: number } | { readonly object: number }

export interface CompiledAtom {
  readonly predicate: Predicate
  readonly places: readonly Place[]
  readonly fact: (binding: Binding) => number
}

/**
 * Compiles a condition to a function over a state. Nothing is grounded: quantifiers try the objects of their types.
 * @throws EspalierError `invalid_request` when it names an unknown predicate or object
 */
export function compileCondition(space: FactSpace, formula: Formula, slots: Slots): CompiledCondition {
  switch (formula.kind) {
    case 'literal': {
      const { predicate, fact } = compileAtom(space, formula, slots)
      const { negated } = formula
      if (predicate.isStatic) return (_facts, binding) => space.isStaticFact(fact(binding)) !== negated
      return (facts, binding) => includesFact(facts, fact(binding)) !== negated
    }
    case 'equal': {
      const [left, right] = [formula.left, formula.right].map((term) =>
        termValue(compileTerm(space, term, slots)),
      )
      const { negated } = formula
      return (_facts, binding) => (left?.(binding) === right?.(binding)) !== negated
    }
    case 'and': {
      const parts = formula.parts.map((part) => compileCondition(space, part, slots))
      return (facts, binding) => parts.every((part) => part(facts, binding))
    }
    case 'or': {
      const parts = formula.parts.map((part) => compileCondition(space, part, slots))
      return (facts, binding) => parts.some((part) => part(facts, binding))
    }
    case 'exists':
    case 'forall': {
      const inner = withSlots(slots, formula.variables)
      const part = compileCondition(space, formula.part, inner)
      const wanted = formula.kind === 'exists'
      const isFound = someBinding(
        space,
        formula.variables,
        inner,
        (facts, binding) => part(facts, binding) === wanted,
      )
      return (facts, binding) => isFound(facts, binding) === wanted
    }
  }
}

export function withSlots(slots: Slots, variables: readonly TypedName[]): Slots {
  const extended = new Map(slots)
  let next = Math.max(-1, ...slots.values()) + 1
  for (const { name } of variables) extended.set(name, next++)
  return extended
}

export function someBinding(
  space: FactSpace,
  variables: readonly TypedName[],
  slots: Slots,
  take: CompiledCondition,
): CompiledCondition {
  return variables.reduceRight<CompiledCondition>((next, { name, types }) => {
    const slot = slots.get(name) as number
    const objects = space.ofTypes(types)
    return (facts, binding) =>
      objects.some((object) => {
        binding[slot] = object
        return next(facts, binding)
      })
  }, take)
}

export function compileAtom(space: FactSpace, atom: Atom, slots: Slots): CompiledAtom {
  const predicate = space.predicate(atom.predicate)
  if (predicate === undefined || predicate.weights.length !== atom.terms.length) {
    throw new EspalierError(
      'invalid_request',
      `The domain declares no predicate "${atom.predicate}" over ${atom.terms.length} objects.`,
    )
  }
  const places = atom.terms.map((term) => compileTerm(space, term, slots))
  let constant = predicate.base
  const bound: { slot: number; weight: number }[] = []
  for (const [index, place] of places.entries()) {
    const weight = predicate.weights[index] as number
    if ('object' in place) constant += place.object * weight
    else bound.push({ slot: place.slot, weight })
  }
  return { predicate, places, fact: sumOf(constant, bound) }
}

function sumOf(
  constant: number,
  bound: readonly { slot: number; weight: number }[],
): (binding: Binding) => number {
  const [first, second] = bound
  if (first === undefined) return () => constant
  if (second === undefined) return (binding) => constant + (binding[first.slot] as number) * first.weight
  return (binding) => {
    let fact = constant
    for (const { slot, weight } of bound) fact += (binding[slot] as number) * weight
    return fact
  }
}

function compileTerm(space: FactSpace, term: string, slots: Slots): Place {
  const slot = isVariable(term) ? slots.get(term) : undefined
  if (slot !== undefined) return { slot }
  const object = space.objectNumber(term)
  if (object !== undefined) return { object }
  throw new EspalierError(
    'invalid_request',
    `There is no object "${term}". Declare it under :objects of the problem or :constants of the domain.`,
  )
}

function termValue(place: Place): (binding: Binding) => number {
  if ('object' in place) return () => place.object
  return (binding) => binding[place.slot] as number
}
