export interface JsonErrorPlace {
  line: number
  column: number
  found: string
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapes = new Set('"\\/bfnrt')
const words = ['true', 'false', 'null']

type Expecting = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing'

/**
 * Finds the position at which a text stops being JSON, or null if it is JSON. `JSON.parse` omits the position in its
 * messages for short texts.
 */
export function locateJsonError(text: string): JsonErrorPlace | null {
  const open: ('{' | '[')[] = []
  let expecting: Expecting = 'value'
  let position = 0

  function afterValue(): Expecting {
    return open.length === 0 ? 'nothing' : ', or end'
  }

  function next(sign: string): Expecting | null {
    const wantsValue = expecting === 'value' || expecting === 'value or ]'
    const wantsName = expecting === 'name' || expecting === 'name or }'
    switch (sign) {
      case '{':
      case '[':
        if (!wantsValue) return null
        open.push(sign)
        return sign === '{' ? 'name or }' : 'value or ]'
      case ':':
        return expecting === ':' ? 'value' : null
      case ',':
        if (expecting !== ', or end') return null
        return open.at(-1) === '{' ? 'name' : 'value'
      case '}':
      case ']': {
        const opened = sign === '}' ? '{' : '['
        const empty = sign === '}' ? 'name or }' : 'value or ]'
        if (open.at(-1) !== opened || (expecting !== ', or end' && expecting !== empty)) return null
        open.pop()
        return afterValue()
      }
      default:
        if (wantsName && sign === '"') return ':'
        return wantsValue ? afterValue() : null
    }
  }

  for (;;) {
    position = skipSpace(text, position)
    const end = tokenEnd(text, position)
    const following = end === null ? null : next(text.charAt(position))
    if (end === null || following === null) break
    expecting = following
    position = end
  }
  if (expecting === 'nothing' && position === text.length) return null
  return describePlace(text, position)
}

function skipSpace(text: string, start: number): number {
  for (let position = start; ; position += 1) {
    const code = text.charCodeAt(position)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position
  }
}

function tokenEnd(text: string, start: number): number | null {
  const first = text.charAt(start)
  if (first === '"') return stringEnd(text, start)
  if (first !== '' && '{}[]:,'.includes(first)) return start + 1
  const word = words.find((candidate) => text.startsWith(candidate, start))
  if (word !== undefined) return start + word.length
  number.lastIndex = start
  return number.test(text) ? number.lastIndex : null
}

/** Scans by hand: a regular expression with alternatives in its loop overflows the stack on millions of escapes. */
function stringEnd(text: string, start: number): number | null {
  let position = start + 1
  while (position < text.length) {
    const code = text.charCodeAt(position)
    if (code === 0x22) return position + 1
    if (code < 0x20) return null
    position += code === 0x5c ? escapeLength(text, position) : 1
  }
  return null
}

function escapeLength(text: string, start: number): number {
  const kind = text.charAt(start + 1)
  if (kind === 'u') return /^[\da-fA-F]{4}$/.test(text.slice(start + 2, start + 6)) ? 6 : text.length
  return escapes.has(kind) ? 2 : text.length
}

function describePlace(text: string, position: number): JsonErrorPlace {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found =
    position === text.length ? 'the end of the body' : JSON.stringify(text.slice(position, position + 20))
  return { line, column, found }
}
