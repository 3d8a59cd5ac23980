const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0))
const opening = new Set([...'[{'].map((character) => character.charCodeAt(0)))
const closing = new Set([...']}'].map((character) => character.charCodeAt(0)))

/**
 * Reads the items of a JSON array, one by one, so that a file of any size can be read: the public product file has
 * 5.5 GB, and a string ends at half a gigabyte.
 * @param bytes the array in UTF-8, with items that are objects
 * @throws SyntaxError when an item is not JSON
 */
export function* splitJsonArray(bytes: Uint8Array): Generator<unknown> {
  const decoder = new TextDecoder()
  let depth = 0
  let start = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) {
      at = endOfString(bytes, at)
    } else if (opening.has(byte)) {
      depth += 1
      if (depth === 2) start = at
    } else if (closing.has(byte)) {
      depth -= 1
      if (depth === 1) yield JSON.parse(decoder.decode(bytes.subarray(start, at + 1)))
    } else if (depth === 0 && byte === comma) {
      throw new SyntaxError('It is not one JSON array.')
    }
  }
  if (depth !== 0) throw new SyntaxError('Its JSON array does not end.')
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
