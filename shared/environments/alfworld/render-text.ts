import type { TextGrammar } from './parse-grammar.ts'
import { GrammarError, type TextSymbol, type ValueTerm } from './parse-symbols.ts'
import { type Bindings, type FactView, solveQuery } from './solve-query.ts'

const deepest = 50
const mostRules = 10_000

export interface Scene extends FactView {
  nameOf(object: string): string
}

/**
 * Renders symbols in a state: of every rule the first alternative whose condition holds.
 * @throws GrammarError for an unknown rule or variable
 */
export function renderText(
  grammar: TextGrammar,
  symbols: readonly TextSymbol[],
  scene: Scene,
  bindings: Bindings,
): string {
  let rendered = 0
  const render = (symbol: TextSymbol, bound: Bindings, depth: number): string => {
    switch (symbol.kind) {
      case 'text':
        return symbol.text
      case 'value':
        return symbol.terms.map((term) => termText(term, scene, bound)).join('')
      case 'rule':
        return renderRule(symbol.name, bound, depth)
      case 'each': {
        const solutions = symbol.query.length === 0 ? [bound] : solveQuery(symbol.query, scene, bound)
        const items = solutions.map((solution) => render(symbol.item, solution, depth))
        return symbol.isList ? joinList(items, bound, depth) : items.join('')
      }
    }
  }
  const renderRule = (name: string, bound: Bindings, depth: number): string => {
    const rule = grammar.rules
      .get(name)
      ?.find(({ condition }) => condition.length === 0 || solveQuery(condition, scene, bound, 1).length > 0)
    if (rule === undefined) throw new GrammarError(`The grammar has no text for "#${name}#" here.`)
    if (depth >= deepest) throw new GrammarError(`The rule "${name}" goes round in circles.`)
    rendered += 1
    if (rendered > mostRules) throw new GrammarError(`The rule "${name}" is rendered too often in one text.`)
    return rule.symbols.map((symbol) => render(symbol, bound, depth + 1)).join('')
  }
  const joinList = (items: readonly string[], bound: Bindings, depth: number): string => {
    if (items.length === 0) return renderRule('list_empty', bound, depth)
    if (items.length === 1) return items[0] ?? ''
    const separator = items.length > 2 ? renderRule('list_separator', bound, depth) : ''
    const last = renderRule('list_last_separator', bound, depth)
    return items.slice(0, -1).join(separator) + last + items.at(-1)
  }
  return symbols.map((symbol) => render(symbol, bindings, 0)).join('')
}

function termText(term: ValueTerm, scene: Scene, bindings: Bindings): string {
  if (term.kind === 'text') return term.text
  const object = boundObject(bindings, term.variable)
  if (object === undefined) throw new GrammarError(`The variable "${term.variable}" has no value here.`)
  const values = { name: scene.nameOf(object), id: object, indefinite: 'a', definite: 'the' }
  return term.attributes.map((attribute) => values[attribute]).find((value) => value !== '') ?? ''
}

function boundObject(bindings: Bindings, variable: string): string | undefined {
  for (const [key, object] of bindings) {
    if (key.startsWith(variable) && key[variable.length] === ':') return object
  }
  return undefined
}
