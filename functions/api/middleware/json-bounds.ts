import { EspalierError } from '../../../shared/core/contracts/errors.ts'

/**
 * Upper bounds for a JSON body. A body over them is refused before parsing and validation, which take time for each
 * value.
 */
export const jsonBounds = {
  /** Levels of nesting. More would overflow the stack of code that checks or stores the body. */
  depth: 64,
  names: 5000,
  entries: 50_000,
  /** Entries in an array of texts named `ids`, which lists tasks. */
  ids: 200_000,
  values: 300_000,
}

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]
const namesShown = 3
const ids = Buffer.from('ids')

interface Container {
  isObject: boolean
  start: number
  members: number
  most: number
}

/**
 * Refuses JSON over the bounds, in one pass over its bytes that ends at the first excess. It does not check whether
 * the bytes are valid JSON.
 * @throws EspalierError `invalid_request` that names the exceeded bound
 */
export function refuseExcess(bytes: Uint8Array): void {
  const open: Container[] = []
  let values = 1
  let [name, nameEnd] = [bytes.subarray(0, 0), -1]
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === quote) {
      const end = stringEnd(bytes, position)
      name = bytes.subarray(position + 1, end)
      nameEnd = end
      position = end
    } else if (byte === openBrace || byte === openBracket) {
      const isObject = byte === openBrace
      const entries = ids.equals(name) ? jsonBounds.ids : jsonBounds.entries
      open.push({ isObject, start: position, members: 1, most: isObject ? jsonBounds.names : entries })
      values += 1
      if (open.length > jsonBounds.depth) {
        throw excess(`The body is nested deeper than ${jsonBounds.depth} levels. Flatten it.`)
      }
    } else if (byte === closeBrace || byte === closeBracket) open.pop()
    else if (byte === comma) {
      values += 1
      const innermost = open.at(-1)
      if (innermost !== undefined) {
        innermost.members += 1
        const isText = name.length > 0 && nameEnd === position - 1
        // An array with an entry other than text is no list of ids: its schema would report every entry as wrong.
        if (!isText && !innermost.isObject) innermost.most = jsonBounds.entries
        refuseMembers(bytes, innermost)
      }
      if (values > jsonBounds.values) {
        throw excess(
          `The body has more than ${shown(jsonBounds.values)} values. Send less at once; rows of trajectories are taken as application/x-ndjson, in several bodies.`,
        )
      }
    }
  }
}

function refuseMembers(bytes: Uint8Array, { isObject, start, members, most }: Container): void {
  if (members <= most) return
  if (isObject) {
    const names = firstNames(bytes, start).join(', ')
    throw excess(
      `The body has an object with more than ${shown(most)} fields, which no request needs. It begins with ${names}. Leave them out.`,
    )
  }
  throw excess(
    `The body has an array with more than ${shown(most)} entries. Name tasks by split, range or types instead of one by one; send rows of trajectories as application/x-ndjson.`,
  )
}

function firstNames(bytes: Uint8Array, start: number): string[] {
  const names: string[] = []
  let depth = 0
  let isName = true
  for (let position = start; position < bytes.length && names.length < namesShown; position += 1) {
    const byte = bytes[position]
    if (byte === quote) {
      const end = stringEnd(bytes, position)
      if (depth === 1 && isName)
        names.push(Buffer.from(bytes.subarray(position, Math.min(end + 1, position + 60))).toString())
      if (depth === 1) isName = false
      position = end
    } else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === comma && depth === 1) isName = true
  }
  return names
}

function stringEnd(bytes: Uint8Array, start: number): number {
  let position = start + 1
  while (position < bytes.length && bytes[position] !== quote)
    position += bytes[position] === backslash ? 2 : 1
  return position
}

function shown(count: number): string {
  return count.toLocaleString('en')
}

function excess(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}
