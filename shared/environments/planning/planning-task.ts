import {
  type Binding,
  type CompiledCondition,
  compileAtom,
  compileCondition,
  type Slots,
  someBinding,
  withSlots,
} from './compile-condition.ts'
import { compileQuery, type FactQuery } from './compile-query.ts'
import { createFactSpace, type FactSpace } from './fact-space.ts'
import { changeFacts, type Facts, includesFact, lowerBound } from './facts.ts'
import { atomText, type Effect, type Formula } from './formula.ts'
import type { ActionSchema, Domain } from './parse-domain.ts'
import type { Problem } from './parse-problem.ts'
import type { TypedName } from './typed-names.ts'

export interface Action {
  readonly schema: ActionSchema
  readonly objects: readonly number[]
}

export interface GoalLiteral {
  readonly fact: number
  readonly negated: boolean
}

/**
 * A playable PDDL problem. A state is a {@link Facts}: its true dynamic facts, by number, as plain JSON. Nothing is
 * grounded ahead. An action is checked against the state on demand, and a state's possible actions are found by
 * joining its facts. A task is therefore ready in about the time that it takes to read its text.
 */
export interface PlanningTask {
  readonly objects: readonly string[]
  readonly schemas: readonly ActionSchema[]
  readonly initial: Facts
  /** The true facts that no action changes. They are in no state. */
  readonly staticFacts: Facts
  readonly goal: Formula
  readonly goalLiterals: readonly GoalLiteral[] | null
  objectNumber(name: string): number | undefined
  objectsOfType(type: string): readonly number[]
  typeOf(object: number): string
  isStatic(predicate: string): boolean
  fact(predicate: string, ...objects: readonly string[]): number | null
  literal(fact: number): { predicate: string; objects: string[] }
  factText(fact: number): string
  holds(facts: Facts, fact: number): boolean
  factsOf(facts: Facts, predicate: string): Facts
  /** An action by name. Null if the name, the number of objects or their types do not fit. */
  action(name: string, objects: readonly string[]): Action | null
  actionText(action: Action): string
  applicable(facts: Facts, action: Action): boolean
  apply(facts: Facts, action: Action): Facts
  applicableActions(facts: Facts, schema?: string): Action[]
  reached(facts: Facts): boolean
  /**
   * Compiles a search for the bindings that satisfy a condition, each as its objects' numbers.
   * @example
   * const reachable = task.query([{ name: '?r', types: ['receptacle'] }], condition)
   * reachable(state) // [[12], [40]]
   */
  query(variables: readonly TypedName[], condition: Formula): FactQuery
}

interface Change {
  readonly added: number[]
  readonly deleted: number[]
}

type Gather = (facts: Facts, binding: Binding, change: Change) => void

interface CompiledSchema {
  readonly schema: ActionSchema
  readonly allowed: readonly ReadonlySet<number>[]
  readonly holds: CompiledCondition
  readonly gather: Gather
  find(): FactQuery
}

/**
 * @param options.distinctArguments True if an action may not use one object twice, as in pddlgym.
 * @throws EspalierError `invalid_request` when the problem does not fit the domain
 * @example
 * const task = createPlanningTask(parseDomain(domainText), parseProblem(problemText))
 * const action = task.action('pick-up', ['b1'])
 * const next = action && task.applicable(task.initial, action) ? task.apply(task.initial, action) : task.initial
 */
export function createPlanningTask(
  domain: Domain,
  problem: Problem,
  options: { distinctArguments?: boolean } = {},
): PlanningTask {
  const distinct = options.distinctArguments === true
  const space = createFactSpace(domain, problem)
  const schemas = new Map(
    domain.actions.map((schema) => [schema.name, compileSchema(space, schema, distinct)]),
  )
  const isReached = compileCondition(space, problem.goal, new Map())
  const compiled = (action: Action) => schemas.get(action.schema.name) as CompiledSchema

  const fact: PlanningTask['fact'] = (name, ...objects) => {
    const predicate = space.predicate(name)
    if (predicate === undefined || predicate.weights.length !== objects.length) return null
    let number = predicate.base
    for (const [place, object] of objects.entries()) {
      const objectNumber = space.objectNumber(object)
      if (objectNumber === undefined) return null
      number += objectNumber * (predicate.weights[place] as number)
    }
    return number
  }
  const literal = (number: number) => {
    const predicate = space.predicateOf(number)
    const objects = space.objectsOf(predicate, number).map((object) => space.objects[object] as string)
    return { predicate: predicate.name, objects }
  }
  return {
    objects: space.objects,
    schemas: domain.actions,
    initial: space.initial,
    staticFacts: space.staticFacts,
    goal: problem.goal,
    goalLiterals: literalsOf(space, problem.goal),
    objectNumber: space.objectNumber,
    objectsOfType: (type) => space.ofTypes([type]),
    typeOf: space.typeOf,
    isStatic: (predicate) => space.predicate(predicate)?.isStatic === true,
    fact,
    literal,
    factText: (number) => {
      const { predicate, objects } = literal(number)
      return atomText(predicate, objects)
    },
    holds: (facts, number) => includesFact(facts, number) || space.isStaticFact(number),
    factsOf: (facts, name) => {
      const predicate = space.predicate(name)
      if (predicate === undefined) return []
      const all = predicate.isStatic ? space.staticFacts : facts
      const end = predicate.base + space.objects.length ** predicate.weights.length
      return all.slice(lowerBound(all, predicate.base), lowerBound(all, end))
    },
    action: (name, objects) => {
      const known = schemas.get(name)
      if (known === undefined || known.allowed.length !== objects.length) return null
      const numbers: number[] = []
      for (const [place, object] of objects.entries()) {
        const number = space.objectNumber(object)
        if (number === undefined || !known.allowed[place]?.has(number)) return null
        if (distinct && numbers.includes(number)) return null
        numbers.push(number)
      }
      return { schema: known.schema, objects: numbers }
    },
    actionText: ({ schema, objects }) =>
      atomText(
        schema.name,
        objects.map((object) => space.objects[object] as string),
      ),
    applicable: (facts, action) => compiled(action).holds(facts, [...action.objects]),
    apply: (facts, action) => {
      const change: Change = { added: [], deleted: [] }
      compiled(action).gather(facts, [...action.objects], change)
      return changeFacts(facts, change.added, change.deleted)
    },
    applicableActions: (facts, only) =>
      [...schemas.values()]
        .filter(({ schema }) => only === undefined || schema.name === only)
        .flatMap(({ schema, find }) => find()(facts).map((objects) => ({ schema, objects }))),
    reached: (facts) => isReached(facts, []),
    query: (variables, condition) => compileQuery(space, variables, condition, false),
  }
}

function compileSchema(space: FactSpace, schema: ActionSchema, distinct: boolean): CompiledSchema {
  const slots = withSlots(new Map(), schema.parameters)
  let found: FactQuery | undefined
  return {
    schema,
    allowed: schema.parameters.map(({ types }) => new Set(space.ofTypes(types))),
    holds: compileCondition(space, schema.precondition, slots),
    gather: compileEffects(space, schema.effects, slots),
    find() {
      found ??= compileQuery(space, schema.parameters, schema.precondition, distinct)
      return found
    },
  }
}

/**
 * Compiles effects. All their conditions are evaluated in the state before the action.
 * @throws EspalierError `invalid_request` when an effect names an unknown predicate or object
 */
function compileEffects(space: FactSpace, effects: readonly Effect[], slots: Slots): Gather {
  const gathers = effects.map((effect) => compileEffect(space, effect, slots))
  return (facts, binding, change) => {
    for (const gather of gathers) gather(facts, binding, change)
  }
}

function compileEffect(space: FactSpace, effect: Effect, slots: Slots): Gather {
  switch (effect.kind) {
    case 'add':
    case 'delete': {
      const { fact } = compileAtom(space, effect, slots)
      if (effect.kind === 'add') return (_facts, binding, change) => void change.added.push(fact(binding))
      return (_facts, binding, change) => void change.deleted.push(fact(binding))
    }
    case 'when': {
      const holds = compileCondition(space, effect.condition, slots)
      const gather = compileEffects(space, effect.effects, slots)
      return (facts, binding, change) => {
        if (holds(facts, binding)) gather(facts, binding, change)
      }
    }
    case 'forall': {
      const inner = withSlots(slots, effect.variables)
      const gather = compileEffects(space, effect.effects, inner)
      return (facts, binding, change) => {
        const gatherAll = someBinding(space, effect.variables, inner, (_facts, each) => {
          gather(facts, each, change)
          return false
        })
        gatherAll(facts, binding)
      }
    }
  }
}

function literalsOf(space: FactSpace, goal: Formula): GoalLiteral[] | null {
  if (goal.kind === 'literal') {
    return [{ fact: space.factOf(goal), negated: goal.negated }]
  }
  if (goal.kind !== 'and') return null
  const parts = goal.parts.map((part) => literalsOf(space, part))
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? [])
}
