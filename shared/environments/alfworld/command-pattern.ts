import { GrammarError, type TextSymbol } from './parse-symbols.ts'

export type CommandPattern = readonly (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
)[]

/**
 * Reads the template of an action: `take {o} from {r}`. A query in a template, such as `go to [{r.name | …}]`,
 * reduces to its variable, because all of an action's variables are bound when its template is filled in.
 * @throws GrammarError for a template that does more than name the action's objects
 */
export function readPattern(template: readonly TextSymbol[]): CommandPattern {
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

export function fillPattern(pattern: CommandPattern, nameOf: (variable: string) => string): string {
  return pattern.map((part) => (part.kind === 'text' ? part.text : nameOf(part.name))).join('')
}

export function matchPattern(
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
