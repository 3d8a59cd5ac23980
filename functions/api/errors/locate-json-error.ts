export interface JsonErrorPlace {
  line: number
  column: number
  /** What stands there, to be shown to a person. */
  found: string
}

const tokens =
  /[\t\n\r ]*(?:([{}[\]:,])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y

type Expecting = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing'

/**
 * Where a text stops being JSON, or null where it is JSON. `JSON.parse` alone does not always say: for short texts its
 * message has no position.
 */
export function locateJsonError(text: string): JsonErrorPlace | null {
  const open: ('{' | '[')[] = []
  let expecting: Expecting = 'value'
  let position = 0

  function afterValue(): Expecting {
    return open.length === 0 ? 'nothing' : ', or end'
  }

  function next(sign: string | undefined, isString: boolean): Expecting | null {
    const wantsValue = expecting === 'value' || expecting === 'value or ]'
    const wantsName = expecting === 'name' || expecting === 'name or }'
    switch (sign) {
      case undefined:
        if (wantsName && isString) return ':'
        return wantsValue ? afterValue() : null
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
      default: {
        const opened = sign === '}' ? '{' : '['
        const empty = sign === '}' ? 'name or }' : 'value or ]'
        if (open.at(-1) !== opened || (expecting !== ', or end' && expecting !== empty)) return null
        open.pop()
        return afterValue()
      }
    }
  }

  while (true) {
    tokens.lastIndex = position
    const match = tokens.exec(text)
    const following = match === null ? null : next(match[1], match[2] !== undefined)
    if (following === null) break
    expecting = following
    position += match?.[0].length ?? 0
  }
  position += /^[\t\n\r ]*/.exec(text.slice(position))?.[0].length ?? 0
  if (expecting === 'nothing' && position === text.length) return null
  return describePlace(text, position)
}

function describePlace(text: string, position: number): JsonErrorPlace {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found =
    position === text.length ? 'the end of the body' : JSON.stringify(text.slice(position, position + 20))
  return { line, column, found }
}
