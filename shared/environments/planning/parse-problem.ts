import { failure, isWord, listOf } from './expression.ts'
import type { Atom, Formula } from './formula.ts'
import { readDefinition } from './parse-domain.ts'
import { readAtom, readFormula } from './read-formula.ts'
import { readTypedNames, type TypedName } from './typed-names.ts'

export interface Problem {
  readonly name: string
  readonly domain: string | null
  readonly objects: readonly TypedName[]
  readonly initial: readonly Atom[]
  readonly goal: Formula
}

const ignored = new Set([':metric', ':requirements', ':length'])

/**
 * Reads a PDDL problem. Numbers, such as the costs of `(= (distance a b) 3)`, and the metric are left out.
 * @param name The text's name in errors, such as its file's name.
 * @throws EspalierError `invalid_request`, with the line and the expected syntax
 */
export function parseProblem(text: string, name = 'problem'): Problem {
  const source = { text, name }
  const definition = readDefinition(source, 'problem')
  const scope = { source, arities: null, variables: new Set<string>(), named: new Set<string>() }
  const objects: TypedName[] = []
  const initial: Atom[] = []
  let domain: string | null = null
  let goal: Formula | null = null
  for (const { key, list } of definition.sections) {
    const [, ...rest] = list.items
    if (key === ':domain') domain = isWord(rest[0]) ? rest[0].word : null
    else if (key === ':objects') objects.push(...readTypedNames(source, rest, list))
    else if (key === ':init') {
      for (const item of rest) {
        const fact = listOf(source, item, list, '"(predicate object …)"')
        const [head] = fact.items
        if (isWord(head) && (head.word === '=' || head.word === 'not')) continue
        initial.push(readAtom(scope, fact))
      }
    } else if (key === ':goal') goal = readFormula(scope, listOf(source, rest[0], list, 'the goal'))
    else if (!ignored.has(key)) throw failure(source, list.offset, `:objects, :init or :goal, not "${key}"`)
  }
  if (goal === null) throw failure(source, text.length, '"(:goal …)"')
  return { name: definition.name, domain, objects, initial, goal }
}
