import {
  failure,
  isWord,
  type ListExpression,
  listOf,
  type PddlSource,
  readExpression,
  wordOf,
} from './expression.ts'
import type { Effect, Formula } from './formula.ts'
import { readEffects, readFormula, readVariables } from './read-formula.ts'
import { readTypedNames, type TypedName } from './typed-names.ts'

export interface ActionSchema {
  readonly name: string
  readonly parameters: readonly TypedName[]
  readonly precondition: Formula
  readonly effects: readonly Effect[]
}

export interface Domain {
  readonly name: string
  readonly types: readonly TypedName[]
  /**
   * Later declarations win. An undeclared name in an action is an object of no type, about which nothing need be
   * true.
   */
  readonly constants: readonly TypedName[]
  readonly predicates: ReadonlyMap<string, number>
  readonly actions: readonly ActionSchema[]
}

const actionParts = new Set([':parameters', ':precondition', ':effect'])

const mostKept = 16
const kept = new Map<string, Domain>()

/**
 * Reads a PDDL domain: `:strips`, `:typing`, `:equality`, negative and disjunctive preconditions, quantifiers,
 * conditional effects and constants. Costs and other numeric effects are accepted and ignored. Parsed domains are
 * cached, because most games repeat the same text.
 * @param name The text's name in errors, such as its file's name.
 * @throws EspalierError `invalid_request`, with the line and the expected syntax
 */
export function parseDomain(text: string, name = 'domain'): Domain {
  const known = kept.get(text)
  if (known !== undefined) return known
  const domain = readDomain({ text, name })
  if (kept.size >= mostKept) kept.clear()
  kept.set(text, domain)
  return domain
}

function readDomain(source: PddlSource): Domain {
  const { name, sections } = readDefinition(source, 'domain')
  const types: TypedName[] = []
  const constants: TypedName[] = []
  const predicates = new Map<string, number>()
  const actionLists: ListExpression[] = []
  for (const { key, list } of sections) {
    const [, ...rest] = list.items
    if (key === ':types') types.push(...readTypedNames(source, rest, list))
    else if (key === ':constants') constants.push(...readTypedNames(source, rest, list))
    else if (key === ':predicates') {
      for (const item of rest) {
        const declared = listOf(source, item, list, '"(predicate ?variable …)"')
        const predicate = wordOf(source, declared.items[0], declared, 'a predicate')
        predicates.set(predicate, readTypedNames(source, declared.items.slice(1), declared).length)
      }
    } else if (key === ':action') actionLists.push(list)
    else if (key !== ':requirements' && key !== ':functions') {
      throw failure(
        source,
        list.offset,
        `:requirements, :types, :constants, :predicates, :functions or :action, because "${key}" is not supported`,
      )
    }
  }
  const named = new Set<string>()
  const actions = actionLists.map((list) => readAction(source, list, predicates, named))
  return { name, types, constants: [...[...named].map(untyped), ...constants], predicates, actions }
}

function untyped(name: string): TypedName {
  return { name, types: [] }
}

function readAction(
  source: PddlSource,
  list: ListExpression,
  arities: ReadonlyMap<string, number>,
  named: Set<string>,
): ActionSchema {
  const name = wordOf(source, list.items[1], list, 'the name of the action')
  const parts = new Map<string, ListExpression>()
  for (let index = 2; index < list.items.length; index += 2) {
    const key = wordOf(source, list.items[index], list, ':parameters, :precondition or :effect')
    if (!actionParts.has(key))
      throw failure(
        source,
        list.items[index]?.offset ?? list.offset,
        `${[...actionParts].join(', ')}, not "${key}"`,
      )
    parts.set(key, listOf(source, list.items[index + 1], list, `"(…)" after ${key}`))
  }
  const empty: ListExpression = { items: [], offset: list.offset }
  const parameters = readVariables(source, parts.get(':parameters') ?? empty)
  const scope = { source, arities, variables: new Set(parameters.map(({ name }) => name)), named }
  return {
    name,
    parameters,
    precondition: readFormula(scope, parts.get(':precondition') ?? empty),
    effects: readEffects(scope, parts.get(':effect') ?? empty),
  }
}

export function readDefinition(
  source: PddlSource,
  kind: 'domain' | 'problem',
): { name: string; sections: { key: string; list: ListExpression }[] } {
  const whole = readExpression(source)
  const [define, title, ...rest] = whole.items
  if (!isWord(define) || define.word !== 'define') throw failure(source, whole.offset, '"(define …)"')
  const titleList = listOf(source, title, whole, `"(${kind} name)"`)
  if (wordOf(source, titleList.items[0], titleList, `"${kind}"`) !== kind) {
    throw failure(source, titleList.offset, `"(${kind} name)"`)
  }
  const sections = rest.map((item) => {
    const list = listOf(source, item, whole, '"(:section …)"')
    return { key: wordOf(source, list.items[0], list, 'a section such as :init'), list }
  })
  return { name: wordOf(source, titleList.items[1], titleList, `the name of the ${kind}`), sections }
}
