import {
  type Binding,
  type CompiledCondition,
  compileAtom,
  compileCondition,
  type Slots,
  withSlots,
} from './compile-condition.ts'
import type { FactSpace } from './fact-space.ts'
import { type Facts, lowerBound } from './facts.ts'
import { type Formula, isVariable, type LiteralFormula } from './formula.ts'
import type { TypedName } from './typed-names.ts'

export type FactQuery = (facts: Facts) => number[][]

interface Branch {
  readonly variables: readonly TypedName[]
  readonly parts: readonly Formula[]
}

/** Splitting more disjunctions than this costs more than trying objects. */
const mostBranches = 32

/**
 * Compiles a condition to a search for the bindings that satisfy it. Variables are bound by joining the positive
 * literals over the true facts, the rarest first, so the product of all objects is never listed. Only a variable in
 * no positive literal is tried with every object of its type. A disjunction becomes two searches if that lets
 * literals bind more variables.
 * @param distinct True if no object may be used twice in a binding.
 */
export function compileQuery(
  space: FactSpace,
  variables: readonly TypedName[],
  condition: Formula,
  distinct: boolean,
): FactQuery {
  const branches = branchesOf({ variables, parts: [] }, [condition], mostBranches)
  const searches = branches.map((branch) => compileBranch(space, branch, distinct ? variables.length : 0))
  const onceEach = searches.length === 1 && branches[0]?.variables.length === variables.length
  return (facts) => {
    const found: number[][] = []
    const seen = new Set<string>()
    const take = (binding: Binding) => {
      const objects = binding.slice(0, variables.length)
      if (!onceEach) {
        const key = objects.join()
        if (seen.has(key)) return
        seen.add(key)
      }
      found.push(objects)
    }
    for (const search of searches) search(facts, take)
    return found
  }
}

function branchesOf(lifted: Branch, pending: readonly Formula[], most: number): Branch[] {
  let { variables, parts } = lifted
  const rest = [...pending]
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part.kind === 'and') rest.unshift(...part.parts)
    else if (part.kind === 'exists') {
      const renamed = part.variables.map(({ name, types }, index) => ({
        from: name,
        name: `?${variables.length + index}${name}`,
        types,
      }))
      const names = new Map(renamed.map(({ from, name }) => [from, name]))
      variables = [...variables, ...renamed.map(({ name, types }) => ({ name, types }))]
      rest.unshift(rename(part.part, names))
    } else parts = [...parts, part]
  }
  const bound = new Set(parts.filter(isPositive).flatMap(({ terms }) => terms))
  if (variables.every(({ name }) => bound.has(name))) return [{ variables, parts }]
  const split = parts.find((part) => part.kind === 'or' && part.parts.length <= most)
  if (split?.kind !== 'or') return [{ variables, parts }]
  const others = parts.filter((part) => part !== split)
  const each = Math.floor(most / split.parts.length)
  return split.parts.flatMap((part) => branchesOf({ variables, parts: others }, [part], each))
}

function rename(formula: Formula, names: ReadonlyMap<string, string>): Formula {
  const renamed = (term: string) => names.get(term) ?? term
  switch (formula.kind) {
    case 'literal':
      return { ...formula, terms: formula.terms.map(renamed) }
    case 'equal':
      return { ...formula, left: renamed(formula.left), right: renamed(formula.right) }
    case 'and':
    case 'or':
      return { ...formula, parts: formula.parts.map((part) => rename(part, names)) }
    case 'exists':
    case 'forall': {
      const hidden = new Set(formula.variables.map(({ name }) => name))
      return {
        ...formula,
        part: rename(formula.part, new Map([...names].filter(([name]) => !hidden.has(name)))),
      }
    }
  }
}

function isPositive(part: Formula): part is LiteralFormula {
  return part.kind === 'literal' && !part.negated
}

type Next = (facts: Facts, binding: Binding, take: (binding: Binding) => void) => void

function compileBranch(
  space: FactSpace,
  { variables, parts }: Branch,
  distinctSlots: number,
): (facts: Facts, take: (binding: Binding) => void) => void {
  const slots = withSlots(new Map(), variables)
  const bound = new Set<string>()
  const waiting = [...parts]
  const steps: ((next: Next) => Next)[] = []
  const bind = (slot: number) => ({
    slot,
    allows: admission(space, variables[slot], distinctSlots, slot, bound, slots),
  })

  const check = () => {
    for (const part of waiting.filter((each) => freeVariables(each).every((name) => bound.has(name)))) {
      waiting.splice(waiting.indexOf(part), 1)
      const holds = compileCondition(space, part, slots)
      steps.push((next) => (facts, binding, take) => {
        if (holds(facts, binding)) next(facts, binding, take)
      })
    }
  }

  check()
  while (variables.some(({ name }) => !bound.has(name))) {
    const literal = rarest(space, waiting.filter(isPositive), bound)
    if (literal !== undefined) {
      waiting.splice(waiting.indexOf(literal), 1)
      const fresh = [...new Set(literal.terms)].filter((term) => isVariable(term) && !bound.has(term))
      const admissions = fresh.map((name) => {
        const admitted = bind(slots.get(name) as number)
        bound.add(name)
        return admitted
      })
      steps.push((next) => joinLiteral(space, literal, slots, admissions, next))
    } else {
      const variable = variables.find(({ name }) => !bound.has(name)) as TypedName
      const { slot, allows } = bind(slots.get(variable.name) as number)
      bound.add(variable.name)
      const objects = space.ofTypes(variable.types)
      steps.push((next) => (facts, binding, take) => {
        for (const object of objects) {
          binding[slot] = object
          if (allows(facts, binding)) next(facts, binding, take)
        }
      })
    }
    check()
  }
  const search = steps.reduceRight<Next>(
    (next, step) => step(next),
    (_facts, binding, take) => take(binding),
  )
  return (facts, take) => search(facts, [], take)
}

function admission(
  space: FactSpace,
  variable: TypedName | undefined,
  distinctSlots: number,
  slot: number,
  bound: ReadonlySet<string>,
  slots: Slots,
): CompiledCondition {
  const types = variable?.types ?? []
  const allowed = new Set(space.ofTypes(types))
  const others = [...bound].map((name) => slots.get(name) as number).filter((other) => other < distinctSlots)
  const isApart = slot < distinctSlots && others.length > 0
  return (_facts, binding) => {
    const object = binding[slot] as number
    return allowed.has(object) && !(isApart && others.some((other) => binding[other] === object))
  }
}

function rarest(
  space: FactSpace,
  literals: readonly LiteralFormula[],
  bound: ReadonlySet<string>,
): LiteralFormula | undefined {
  const cost = ({ predicate, terms }: LiteralFormula) => {
    const free = terms.filter((term) => isVariable(term) && !bound.has(term)).length
    return space.countAtFirst(predicate) ** (free / Math.max(1, terms.length))
  }
  return literals
    .map((literal) => ({ literal, cost: cost(literal) }))
    .reduce<{ literal?: LiteralFormula; cost: number }>(
      (best, each) => (each.cost < best.cost ? each : best),
      { cost: Number.POSITIVE_INFINITY },
    ).literal
}

function joinLiteral(
  space: FactSpace,
  literal: LiteralFormula,
  slots: Slots,
  admissions: readonly { slot: number; allows: CompiledCondition }[],
  next: Next,
): Next {
  const { predicate, places } = compileAtom(space, literal, slots)
  const free = new Set(admissions.map(({ slot }) => slot))
  const leading = places.findIndex((place) => 'slot' in place && free.has(place.slot))
  const known = places.slice(0, leading)
  const span = (predicate.weights[leading] as number) * space.objects.length
  const seen = new Set<number>()
  const digits = places.slice(leading).map((place, index) => {
    const isNew = 'slot' in place && free.has(place.slot) && !seen.has(place.slot)
    if (isNew) seen.add(place.slot)
    return { place, isNew, weight: predicate.weights[leading + index] as number }
  })
  return (facts, binding, take) => {
    let low = predicate.base
    for (const [index, place] of known.entries()) {
      low +=
        ('slot' in place ? (binding[place.slot] as number) : place.object) *
        (predicate.weights[index] as number)
    }
    const list = predicate.isStatic ? space.staticFacts : facts
    for (let at = lowerBound(list, low); at < list.length; at += 1) {
      let rest = (list[at] as number) - low
      if (rest >= span) break
      let fits = true
      for (const { place, isNew, weight } of digits) {
        const object = Math.floor(rest / weight)
        rest -= object * weight
        if (isNew && 'slot' in place) binding[place.slot] = object
        else if (object !== ('slot' in place ? binding[place.slot] : place.object)) {
          fits = false
          break
        }
      }
      if (fits && admissions.every(({ allows }) => allows(facts, binding))) next(facts, binding, take)
    }
  }
}

function freeVariables(formula: Formula): string[] {
  switch (formula.kind) {
    case 'literal':
      return formula.terms.filter(isVariable)
    case 'equal':
      return [formula.left, formula.right].filter(isVariable)
    case 'and':
    case 'or':
      return formula.parts.flatMap(freeVariables)
    case 'exists':
    case 'forall': {
      const own = new Set(formula.variables.map(({ name }) => name))
      return freeVariables(formula.part).filter((name) => !own.has(name))
    }
  }
}
