import type { Facts } from '../planning/facts.ts'
import { type Formula, isVariable } from '../planning/formula.ts'
import type { ActionSchema, Domain } from '../planning/parse-domain.ts'
import type { Action, PlanningTask } from '../planning/planning-task.ts'
import { pythonStrip } from '../python-text.ts'
import type { EntityNames } from './entity-names.ts'
import type { TextGrammar } from './parse-grammar.ts'
import { GrammarError, type TextSymbol } from './parse-symbols.ts'
import type { Bindings } from './solve-query.ts'

export interface Command {
  readonly action: Action
  readonly bindings: Bindings
  readonly feedback: readonly TextSymbol[]
}

export interface Commands {
  find(facts: Facts, command: string): Command | null
  list(facts: Facts): string[]
}

const longestCommand = 1000

/**
 * The commands of a game: each action of the domain in the words of the grammar. An action that can only leave the
 * state unchanged is not possible, such as going to the current location. Fast Downward, on which ALFWorld runs,
 * drops these.
 * @throws GrammarError for an action without text
 */
export function createCommands(
  domain: Domain,
  task: PlanningTask,
  grammar: TextGrammar,
  names: EntityNames,
): Commands {
  const kinds = domain.actions.map((schema) => {
    const text = grammar.actions.get(schema.name)
    if (text === undefined) throw new GrammarError(`The grammar has no text for the action "${schema.name}".`)
    const pattern = readPattern(text.template)
    const placeOf = new Map(schema.parameters.map(({ name }, place) => [name.slice(1), place]))
    checkPlaces(pattern, placeOf, schema)
    return { schema, pattern, placeOf, feedback: text.feedback, isIdle: idleTest(schema) }
  })
  const namesOf = (objects: readonly number[]) => objects.map((object) => task.objects[object] ?? '')

  return {
    find(facts, text) {
      const command = pythonStrip(text)
      if (command.length > longestCommand) return null
      for (const { schema, pattern, placeOf, feedback, isIdle } of kinds) {
        const named = matchPattern(pattern, command, names.objectNamed)
        if (named === null) continue
        const given = [...named].map(([variable, object]) => ({
          place: placeOf.get(variable) ?? -1,
          object: task.objectNumber(object),
        }))
        const action = task
          .applicableActions(facts, schema.name)
          .find(
            ({ objects }) =>
              given.every(({ place, object }) => objects[place] === object) && !isIdle(namesOf(objects)),
          )
        if (action !== undefined) {
          return { action, bindings: bindingsOf(schema, namesOf(action.objects)), feedback }
        }
      }
      return null
    },
    list(facts) {
      const commands = kinds.flatMap(({ schema, pattern, placeOf, isIdle }) =>
        task
          .applicableActions(facts, schema.name)
          .map(({ objects }) => namesOf(objects))
          .filter((objects) => !isIdle(objects))
          .map((objects) =>
            fillPattern(pattern, (variable) => names.nameOf(objects[placeOf.get(variable) ?? -1] ?? '')),
          ),
      )
      return [...new Set(commands)].sort()
    },
  }
}

function bindingsOf({ parameters }: ActionSchema, objects: readonly string[]): Bindings {
  return new Map(
    parameters.map(({ name, types }, place) => [`${name.slice(1)}:${types[0]}`, objects[place] ?? '']),
  )
}

function checkPlaces(
  pattern: CommandPattern,
  placeOf: ReadonlyMap<string, number>,
  { name }: ActionSchema,
): void {
  for (const part of pattern) {
    if (part.kind === 'variable' && !placeOf.has(part.name)) {
      throw new GrammarError(`The template of "${name}" names "${part.name}", which is no parameter of it.`)
    }
  }
}

function idleTest({
  parameters,
  precondition,
  effects,
}: ActionSchema): (objects: readonly string[]) => boolean {
  const asked = conjuncts(precondition)
  const names = parameters.map(({ name }) => name)
  const isPossible = effects.every(
    (effect) =>
      effect.kind === 'delete' ||
      (effect.kind === 'add' &&
        asked.some((condition) => !condition.negated && condition.predicate === effect.predicate)),
  )
  if (!isPossible) return () => false
  return (objects) => {
    const ground = (predicate: string, terms: readonly string[]) =>
      [predicate, ...terms.map((term) => (isVariable(term) ? objects[names.indexOf(term)] : term))].join(' ')
    const known = (negated: boolean) =>
      asked
        .filter((condition) => condition.negated === negated)
        .map(({ predicate, terms }) => ground(predicate, terms))
    const [truths, untruths] = [known(false), known(true)]
    const [added, deleted] = ['add', 'delete'].map((kind) =>
      effects.flatMap((effect) =>
        effect.kind === kind && 'terms' in effect ? [ground(effect.predicate, effect.terms)] : [],
      ),
    )
    return (
      added?.every((fact) => truths.includes(fact)) === true &&
      deleted?.every((fact) => added.includes(fact) || untruths.includes(fact)) === true
    )
  }
}

function conjuncts(formula: Formula): Extract<Formula, { kind: 'literal' }>[] {
  if (formula.kind === 'and') return formula.parts.flatMap(conjuncts)
  return formula.kind === 'literal' ? [formula] : []
}

type CommandPattern = readonly (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
)[]

/**
 * Reads the template of an action: `take {o} from {r}`. A query in a template, such as `go to [{r.name | …}]`,
 * reduces to its variable, because all of an action's variables are bound when its template is filled in.
 * @throws GrammarError for a template that does more than name the action's objects
 */
function readPattern(template: readonly TextSymbol[]): CommandPattern {
  return template.map((symbol) => {
    if (symbol.kind === 'text') return symbol
    const item = symbol.kind === 'each' ? symbol.item : symbol
    const [term, ...more] = item.kind === 'value' ? item.terms : []
    if (term?.kind !== 'entity' || more.length > 0) {
      throw new GrammarError('A template of an action can only have texts and names of its objects.')
    }
    return { kind: 'variable', name: term.variable }
  })
}

function fillPattern(pattern: CommandPattern, nameOf: (variable: string) => string): string {
  return pattern.map((part) => (part.kind === 'text' ? part.text : nameOf(part.name))).join('')
}

function matchPattern(
  pattern: CommandPattern,
  command: string,
  objectNamed: (name: string) => string | undefined,
): ReadonlyMap<string, string> | null {
  const objects = new Map<string, string>()
  const matchFrom = (index: number, at: number): boolean => {
    const part = pattern[index]
    if (part === undefined) return at === command.length
    if (part.kind === 'text') {
      return command.startsWith(part.text, at) && matchFrom(index + 1, at + part.text.length)
    }
    const next = pattern[index + 1]
    for (let end = at + 1; end <= command.length; end += 1) {
      if (next === undefined) end = command.length
      else if (next.kind === 'text') end = command.indexOf(next.text, end)
      if (end < 0) return false
      const object = objectNamed(command.slice(at, end))
      if (object === undefined) continue
      objects.set(part.name, object)
      if (matchFrom(index + 1, end)) return true
    }
    return false
  }
  return matchFrom(0, 0) ? objects : null
}
