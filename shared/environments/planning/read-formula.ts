import { failure, type ListExpression, listOf, type PddlSource, wordOf } from './expression.ts'
import { type Atom, type Effect, type Formula, isVariable } from './formula.ts'
import { readTypedNames, type TypedName } from './typed-names.ts'

export interface FormulaScope {
  readonly source: PddlSource
  readonly arities: ReadonlyMap<string, number> | null
  readonly variables: ReadonlySet<string>
  readonly named: Set<string>
}

const numericEffects = new Set(['increase', 'decrease', 'assign', 'scale-up', 'scale-down'])
const opposite = { and: 'or', or: 'and', exists: 'forall', forall: 'exists' } as const

export function readFormula(scope: FormulaScope, list: ListExpression, negated = false): Formula {
  const { source } = scope
  const [head, ...rest] = list.items
  if (head === undefined) return { kind: negated ? 'or' : 'and', parts: [] }
  const word = wordOf(source, head, list, 'a predicate, and, or, not, imply, exists or forall')
  const inner = (index: number) => listOf(source, rest[index], list, `a condition in "(${word} …)"`)
  switch (word) {
    case 'and':
    case 'or':
      return {
        kind: negated ? opposite[word] : word,
        parts: rest.map((_part, index) => readFormula(scope, inner(index), negated)),
      }
    case 'not':
      return readFormula(scope, inner(0), !negated)
    case 'imply':
      return {
        kind: negated ? 'and' : 'or',
        parts: [readFormula(scope, inner(0), !negated), readFormula(scope, inner(1), negated)],
      }
    case 'exists':
    case 'forall': {
      const variables = readVariables(source, listOf(source, rest[0], list, 'variables'))
      const part = readFormula(within(scope, variables), inner(1), negated)
      return { kind: negated ? opposite[word] : word, variables, part }
    }
    case '=': {
      const [left = '', right = ''] = rest.map((term) =>
        readTerm(scope, wordOf(source, term, list, 'an object'), list),
      )
      if (rest.length !== 2) throw failure(source, list.offset, 'two objects in "(= …)"')
      return { kind: 'equal', negated, left, right }
    }
    default:
      return { kind: 'literal', negated, ...readAtom(scope, list) }
  }
}

export function readEffects(scope: FormulaScope, list: ListExpression): Effect[] {
  const { source } = scope
  const [head, ...rest] = list.items
  if (head === undefined) return []
  const word = wordOf(source, head, list, 'a predicate, and, not, when or forall')
  const inner = (index: number) => listOf(source, rest[index], list, `an effect in "(${word} …)"`)
  if (numericEffects.has(word)) return []
  switch (word) {
    case 'and':
      return rest.flatMap((_part, index) => readEffects(scope, inner(index)))
    case 'not':
      return [{ kind: 'delete', ...readAtom(scope, inner(0)) }]
    case 'when': {
      const condition = readFormula(scope, listOf(source, rest[0], list, 'the condition of "(when …)"'))
      return [{ kind: 'when', condition, effects: readEffects(scope, inner(1)) }]
    }
    case 'forall': {
      const variables = readVariables(source, listOf(source, rest[0], list, 'variables'))
      return [{ kind: 'forall', variables, effects: readEffects(within(scope, variables), inner(1)) }]
    }
    default:
      return [{ kind: 'add', ...readAtom(scope, list) }]
  }
}

export function readAtom(scope: FormulaScope, list: ListExpression): Atom {
  const { source, arities } = scope
  const [head, ...rest] = list.items
  const predicate = wordOf(source, head, list, 'a predicate')
  const terms = rest.map((term) =>
    readTerm(scope, wordOf(source, term, list, 'an object or a variable'), list),
  )
  if (arities === null) return { predicate, terms }
  const arity = arities.get(predicate)
  if (arity === undefined) {
    throw failure(source, list.offset, `a predicate that the domain declares, not "${predicate}"`)
  }
  if (terms.length !== arity) {
    throw failure(
      source,
      list.offset,
      `${arity} ${arity === 1 ? 'term' : 'terms'} after "${predicate}", not ${terms.length}`,
    )
  }
  return { predicate, terms }
}

export function readVariables(source: PddlSource, list: ListExpression): TypedName[] {
  const variables = readTypedNames(source, list.items, list)
  for (const [index, { name }] of variables.entries()) {
    if (variables.findIndex((each) => each.name === name) < index) {
      throw failure(source, list.offset, `each variable once, but "${name}" comes twice`)
    }
    if (!isVariable(name))
      throw failure(source, list.offset, `a variable that starts with "?", not "${name}"`)
  }
  return variables
}

function within(scope: FormulaScope, variables: readonly TypedName[]): FormulaScope {
  return { ...scope, variables: new Set([...scope.variables, ...variables.map(({ name }) => name)]) }
}

function readTerm({ source, variables, named }: FormulaScope, term: string, list: ListExpression): string {
  if (!isVariable(term)) named.add(term)
  if (!isVariable(term) || variables.has(term)) return term
  throw failure(source, list.offset, `a variable that is declared, not "${term}"`)
}
