import type { Json } from '../../core/contracts/json.ts'

/** Maximum nesting of an agent's JSON: later readers are recursive. */
const deepest = 64

export function readJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as { [key: string]: Json })[name]
  }
  return found
}

/** Counts brackets, including those inside strings: an upper bound of the depth. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > deepest) return true
  }
  return false
}
