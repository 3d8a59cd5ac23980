import { ActionParsingError, type PlaywrightCall, type PlaywrightValue } from './browser-action.ts'

const token =
  /\s*(?:([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([.(),=]))\s*/y
const words: Readonly<Record<string, PlaywrightValue>> = { True: true, False: false, None: null }
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

/**
 * Reads `page.first(…).second(…)` into its calls. Arguments are Python's literals: strings, numbers, `True`, `False`,
 * `None`.
 * @throws ActionParsingError for any other text.
 */
export function parsePlaywrightCalls(code: string): PlaywrightCall[] {
  const tokens = tokenize(code)
  let position = 0
  const calls: PlaywrightCall[] = []
  take('page')
  while (position < tokens.length) {
    take('.')
    const name = takeName()
    take('(')
    calls.push({ name, ...takeArguments() })
  }
  return calls

  function takeArguments(): Omit<PlaywrightCall, 'name'> {
    const positional: PlaywrightValue[] = []
    const keywords: Record<string, PlaywrightValue> = {}
    while (tokens[position] !== ')') {
      if (tokens[position + 1] === '=') {
        const name = takeName()
        take('=')
        keywords[name] = takeValue()
      } else {
        positional.push(takeValue())
      }
      if (tokens[position] !== ')') take(',')
    }
    take(')')
    return { positional, keywords }
  }

  function takeValue(): PlaywrightValue {
    const written = tokens[position++] ?? ''
    if (/^["']/.test(written)) return unescapeText(written.slice(1, -1))
    if (/^-?\d/.test(written)) return Number(written)
    const value = words[written]
    if (value === undefined) throw new ActionParsingError(`Fail to parse ${written} in ${code}`)
    return value
  }

  function takeName(): string {
    const written = tokens[position++] ?? ''
    if (!/^[A-Za-z_]/.test(written)) throw new ActionParsingError(`Fail to parse ${written} in ${code}`)
    return written
  }

  function take(expected: string): void {
    const written = tokens[position++]
    if (written === expected) return
    throw new ActionParsingError(
      expected === 'page'
        ? `Playwright action must start with "page.", but got ${code}`
        : `Fail to parse ${written ?? 'the end'} in ${code}: ${expected} is expected`,
    )
  }
}

function tokenize(code: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < code.length) {
    const start = token.lastIndex
    const match = token.exec(code)
    if (match === null) throw new ActionParsingError(`Fail to parse ${code.slice(start)} in ${code}`)
    tokens.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
  }
  return tokens
}

function unescapeText(body: string): string {
  return body.replace(/\\([\s\S])/g, (_whole, character: string) => escapes[character] ?? character)
}
