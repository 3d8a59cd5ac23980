import { GrammarError, parseQuery, parseSymbols, type QueryAtom, type TextSymbol } from './parse-symbols.ts'

export interface ActionText {
  readonly template: readonly TextSymbol[]
  readonly feedback: readonly TextSymbol[]
}

export interface TextRule {
  readonly condition: readonly QueryAtom[]
  readonly symbols: readonly TextSymbol[]
}

/**
 * The texts of a game. Of each list of rules, the first whose condition holds applies. Names of actions are in lower
 * case.
 */
export interface TextGrammar {
  readonly rules: ReadonlyMap<string, readonly TextRule[]>
  readonly actions: ReadonlyMap<string, ActionText>
}

const space = /(?:\s|#.*)*/y
const grammarStart = /grammar\s*::\s*/y
const actionStart = /action\s+([\w/-]+)\s*\{/y
const fieldStart = /(template|feedback|pddl|grammar)\s*::\s*/y
const text = /"""([\s\S]*?)"""|"([^"]*)"/y
const end = /\s*;/y
const close = /\}/y

/**
 * Reads the grammar of a TextWorld PDDL game: blocks of rules, and an action with its template, its feedback and
 * perhaps rules of its own. A repeated rule replaces the earlier one.
 * @throws GrammarError
 */
export function parseGrammar(source: string): TextGrammar {
  const rules = new Map<string, TextRule[]>()
  const actions = new Map<string, ActionText>()
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  const fail = (expected: string): never => {
    const line = source.slice(0, at).split('\n').length
    throw new GrammarError(`Line ${line} of the grammar should have ${expected}.`)
  }
  const takeText = (): string => {
    const match = take(text) ?? fail('a text in quotes')
    if (take(end) === null) fail('a ";"')
    return match[1] ?? match[2] ?? ''
  }
  const takeAction = (name: string): void => {
    const fields = new Map<string, string>()
    for (take(space); take(close) === null; take(space)) {
      const field = (take(fieldStart) ?? fail('a template, feedback, grammar or "}"'))[1] ?? ''
      const value = takeText()
      if (field === 'grammar') readRules(value, rules)
      else fields.set(field, value)
    }
    const [template, feedback] = [fields.get('template'), fields.get('feedback')]
    if (template === undefined || feedback === undefined) fail(`a template and feedback for "${name}"`)
    actions.set(name.toLowerCase(), {
      template: parseSymbols(template ?? ''),
      feedback: parseSymbols(feedback ?? ''),
    })
  }
  for (take(space); at < source.length; take(space)) {
    if (take(grammarStart) !== null) readRules(takeText(), rules)
    else takeAction((take(actionStart) ?? fail('a block "grammar" or "action"'))[1] ?? '')
  }
  return { rules, actions }
}

function readRules(block: string, rules: Map<string, TextRule[]>): void {
  const json = block.replace(/^[^\S\n]*#.*$/gm, '')
  for (const [name, alternatives] of Object.entries(parseBlock(json))) {
    if (!Array.isArray(alternatives)) throw new GrammarError(`The rule "${name}" is not a list.`)
    rules.set(
      name,
      alternatives.map((alternative: { rhs?: unknown; condition?: unknown }) => {
        if (typeof alternative?.rhs !== 'string') throw new GrammarError(`The rule "${name}" has no "rhs".`)
        const { rhs, condition } = alternative
        const isConditional = typeof condition === 'string' && condition !== ''
        return { symbols: parseSymbols(rhs), condition: isConditional ? parseQuery(condition) : [] }
      }),
    )
  }
}

function parseBlock(json: string): object {
  let block: unknown
  try {
    block = JSON.parse(json)
  } catch (error) {
    throw new GrammarError(`A block of rules is not JSON: ${String(error)}`)
  }
  if (typeof block === 'object' && block !== null) return block
  throw new GrammarError('A block of rules is no JSON object.')
}
