import type { Json } from '../../contracts/json.ts'

/** The most levels of JSON that an agent may write: what reads it later is recursive. */
const deepest = 64

/** The JSON in a text; undefined for a text that is no JSON, or is nested too deeply to be sent on. */
export function readJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/**
 * The value at a path of names with dots between them, such as `score.total`; numbers are positions in lists. Undefined
 * where there is none.
 */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as { [key: string]: Json })[name]
  }
  return found
}

/** Counts brackets, those inside of texts too: more than JSON of that depth has. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > deepest) return true
  }
  return false
}
