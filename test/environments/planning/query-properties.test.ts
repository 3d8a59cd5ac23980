import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeFacts } from '../../../shared/environments/planning/facts.ts'
import type { Formula } from '../../../shared/environments/planning/formula.ts'
import type { Domain } from '../../../shared/environments/planning/parse-domain.ts'
import type { Problem } from '../../../shared/environments/planning/parse-problem.ts'
import { createPlanningTask } from '../../../shared/environments/planning/planning-task.ts'

const objects = ['a', 'b', 'c', 'd']
/** The objects of each type. */
const kinds: Record<string, readonly string[]> = {
  object: objects,
  even: ['b', 'd'],
  odd: ['a', 'c'],
  none: [],
}
const arities = new Map([
  ['fixed', 2],
  ['near', 2],
  ['big', 1],
  ['late', 0],
  ['three', 3],
])

/** Random conditions over these variables. */
function formula(variables: readonly string[], depth: number): fc.Arbitrary<Formula> {
  const term = fc.constantFrom(...variables, 'a', 'b')
  const literal = fc
    .record({
      predicate: fc.constantFrom(...arities.keys()),
      negated: fc.boolean(),
      all: fc.array(term, { minLength: 3, maxLength: 3 }),
    })
    .map(({ predicate, negated, all }): Formula => {
      return { kind: 'literal', negated, predicate, terms: all.slice(0, arities.get(predicate)) }
    })
  const equal = fc
    .record({ negated: fc.boolean(), left: term, right: term })
    .map((parts): Formula => ({ kind: 'equal', ...parts }))
  if (depth === 0) return fc.oneof({ weight: 5, arbitrary: literal }, equal)
  const several = fc
    .record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(formula(variables, depth - 1), { maxLength: 3 }),
    })
    .map((parts): Formula => parts)
  // A quantifier may hide an outer variable of the same name.
  const quantified = fc
    .record({
      kind: fc.constantFrom('exists' as const, 'forall' as const),
      type: fc.constantFrom(...Object.keys(kinds)),
      name: fc.constantFrom('?x', `?z${depth}`),
    })
    .chain(({ kind, type, name }) =>
      formula([...new Set([...variables, name])], depth - 1).map(
        (part): Formula => ({ kind, variables: [{ name, types: [type] }], part }),
      ),
    )
  return fc.oneof(literal, equal, { weight: 3, arbitrary: several }, { weight: 2, arbitrary: quantified })
}

/** Says what a condition means, with no thought of speed. */
function evaluate(
  condition: Formula,
  truths: ReadonlySet<string>,
  bound: ReadonlyMap<string, string>,
): boolean {
  const value = (term: string) => bound.get(term) ?? term
  switch (condition.kind) {
    case 'literal':
      return truths.has([condition.predicate, ...condition.terms.map(value)].join(' ')) !== condition.negated
    case 'equal':
      return (value(condition.left) === value(condition.right)) !== condition.negated
    case 'and':
      return condition.parts.every((part) => evaluate(part, truths, bound))
    case 'or':
      return condition.parts.some((part) => evaluate(part, truths, bound))
    case 'exists':
    case 'forall': {
      const [variable] = condition.variables
      const type = variable?.types[0] ?? 'object'
      const each = (kinds[type] ?? []).map((object) =>
        evaluate(condition.part, truths, new Map([...bound, [variable?.name ?? '', object]])),
      )
      return condition.kind === 'exists' ? each.includes(true) : !each.includes(false)
    }
  }
}

const atom = fc
  .record({
    predicate: fc.constantFrom(...arities.keys()),
    terms: fc.array(fc.constantFrom(...objects), { minLength: 3, maxLength: 3 }),
  })
  .map(({ predicate, terms }) => ({ predicate, terms: terms.slice(0, arities.get(predicate)) }))

const game = fc.record({
  precondition: formula(['?x', '?y'], 3),
  types: fc.tuple(fc.constantFrom('object', 'even', 'odd'), fc.constantFrom('object', 'even')),
  initial: fc.array(atom, { maxLength: 14 }),
  distinct: fc.boolean(),
})

test('the possible actions are those of trying every combination of objects', () => {
  fc.assert(
    fc.property(game, ({ precondition, types, initial, distinct }) => {
      const [first, second] = types
      const parameters = [
        { name: '?x', types: [first] },
        { name: '?y', types: [second] },
      ]
      const domain: Domain = {
        name: 'random',
        types: [],
        constants: [],
        predicates: arities,
        actions: [
          { name: 'try', parameters, precondition, effects: [] },
          {
            // Makes all predicates but `fixed` dynamic.
            name: 'change',
            parameters,
            precondition: { kind: 'and', parts: [] },
            effects: [
              { kind: 'add', predicate: 'near', terms: ['?x', '?y'] },
              { kind: 'delete', predicate: 'big', terms: ['?x'] },
              { kind: 'add', predicate: 'late', terms: [] },
              { kind: 'add', predicate: 'three', terms: ['?x', '?y', '?x'] },
            ],
          },
        ],
      }
      const problem: Problem = {
        name: 'random',
        domain: 'random',
        objects: objects.map((name) => ({ name, types: [kinds.even?.includes(name) ? 'even' : 'odd'] })),
        initial,
        goal: { kind: 'and', parts: [] },
      }
      const task = createPlanningTask(domain, problem, { distinctArguments: distinct })
      const truths = new Set(initial.map(({ predicate, terms }) => [predicate, ...terms].join(' ')))
      const expected = (kinds[first] ?? []).flatMap((x) =>
        (kinds[second] ?? [])
          .filter((y) => !(distinct && x === y))
          .filter((y) =>
            evaluate(
              precondition,
              truths,
              new Map([
                ['?x', x],
                ['?y', y],
              ]),
            ),
          )
          .map((y) => `(try ${x} ${y})`),
      )
      const found = task.applicableActions(task.initial, 'try')
      expect(found.map(task.actionText).sort()).toEqual(expected.sort())
      expect(found.every((action) => task.applicable(task.initial, action))).toBe(true)
    }),
    { numRuns: 600 },
  )
})

const facts = fc.uniqueArray(fc.nat(60)).map((list) => list.toSorted((one, other) => one - other))

test('a change is the set without what was deleted, with what was added, and leaves its arguments alone', () => {
  fc.assert(
    fc.property(facts, fc.array(fc.nat(60)), fc.array(fc.nat(60)), (before, added, deleted) => {
      const frozen = Object.freeze([...before])
      const after = changeFacts(frozen, Object.freeze(added) as number[], Object.freeze(deleted) as number[])
      const expected = new Set([...before.filter((fact) => !deleted.includes(fact)), ...added])
      expect(after).toEqual([...expected].sort((one, other) => one - other))
      expect(after === frozen).toBe(JSON.stringify(after) === JSON.stringify(before))
    }),
  )
})
