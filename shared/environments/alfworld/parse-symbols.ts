import { EspalierError } from '../../core/contracts/errors.ts'

/**
 * One symbol of a text rule.
 * - `text`: stands for itself.
 * - `rule`: the text of another rule, `#name#`.
 * - `value`: a value of an entity, `{o.indefinite + ' ' + o.name}`.
 * - `each`: its item once for every solution of the query, `{item | query}`; with `isList`, as a list with
 *   separators, `[{item | query}]`.
 */
export type TextSymbol =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'value'; readonly terms: readonly ValueTerm[] }
  | {
      readonly kind: 'each'
      readonly item: TextSymbol
      readonly query: readonly QueryAtom[]
      readonly isList: boolean
    }

export type ValueTerm =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'entity'; readonly variable: string; readonly attributes: readonly EntityAttribute[] }

export type EntityAttribute = 'name' | 'id' | 'indefinite' | 'definite'

export interface QueryAtom {
  readonly predicate: string
  readonly parameters: readonly { readonly key: string; readonly type: string }[]
}

export class GrammarError extends EspalierError {
  constructor(message: string) {
    super('invalid_request', message)
  }
}

const literal = /[^;|"<>[\]#{}]+/y
const quoted = /"([^;|"<>[\]#{}]*)"/y
const ruleName = /#([\w()/!<>\-\s,.]+)#/y
/** White space around the bar is bounded, so that an unterminated text is detected in linear time. */
const conditional = /\{(?:#([\w()/!<>\-\s,.]+)#|([^|[\]{}\n<>]+))(?:\s{0,40}\|\s{0,40}([^;|{}\n[\]#]+))?\}/y
const atom = /\s*([\w/!-]+)\s*\(([^()]*)\)\s*(&|$)/y
const parameter = /^\s*(\w+)\s*:\s*([\w-]+)\s*$/
const attributeUse = /^(\w+)(?:\.(name|id|indefinite|definite))?$/

/**
 * Reads the text of a rule in the notation of TextWorld's PDDL games. As in TextWorld, leading white space is
 * dropped, and everything from the first unexpected character.
 */
export function parseSymbols(source: string): TextSymbol[] {
  const text = source.trimStart()
  const symbols: TextSymbol[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  while (at < text.length) {
    const start = at
    const isList = text[at] === '['
    if (isList) at += 1
    const found = take(conditional)
    if (found !== null && (!isList || text[at] === ']')) {
      if (isList) at += 1
      symbols.push(readConditional(found, isList))
      continue
    }
    at = start
    const plain = take(ruleName) ?? take(literal) ?? take(quoted)
    if (plain === null) break
    if (plain[0].startsWith('#')) symbols.push({ kind: 'rule', name: plain[1] ?? '' })
    else symbols.push({ kind: 'text', text: (plain[1] ?? plain[0]).replaceAll('\\n', '\n') })
  }
  return symbols
}

export function parseQuery(source: string): QueryAtom[] {
  const atoms: QueryAtom[] = []
  atom.lastIndex = 0
  for (let more = true; more; ) {
    const match = atom.exec(source)
    if (match === null) throw new GrammarError(`The condition "${source}" cannot be read.`)
    const [, predicate = '', parameters = '', next] = match
    atoms.push({ predicate: predicate.toLowerCase(), parameters: readParameters(parameters, source) })
    more = next === '&'
  }
  return atoms
}

function readParameters(list: string, source: string): QueryAtom['parameters'] {
  if (list.trim() === '') return []
  return list.split(',').map((text) => {
    const match = parameter.exec(text)
    if (match === null) throw new GrammarError(`The condition "${source}" has a parameter without a type.`)
    const type = (match[2] ?? '').toLowerCase()
    return { key: `${match[1]}:${type}`, type }
  })
}

function readConditional([, rule, value, query]: RegExpExecArray, isList: boolean): TextSymbol {
  const item: TextSymbol =
    rule === undefined ? { kind: 'value', terms: readTerms(value ?? '') } : { kind: 'rule', name: rule }
  if (query === undefined && !isList) return item
  return { kind: 'each', item, query: query === undefined ? [] : parseQuery(query), isList }
}

function readTerms(expression: string): ValueTerm[] {
  return expression.split('+').map((part) => {
    const term = part.trim()
    const text = /^'([^']*)'$|^"([^"]*)"$/.exec(term)
    if (text !== null) return { kind: 'text', text: text[1] ?? text[2] ?? '' }
    const uses = term.split(/\sor\s/).map((use) => attributeUse.exec(use.trim()))
    const variable = uses[0]?.[1]
    if (variable === undefined || uses.some((use) => use?.[1] !== variable)) {
      throw new GrammarError(`The expression "{${expression}}" cannot be read.`)
    }
    return {
      kind: 'entity',
      variable,
      attributes: uses.map((use) => (use?.[2] ?? 'name') as EntityAttribute),
    }
  })
}
