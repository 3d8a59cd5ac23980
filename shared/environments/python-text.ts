/**
 * The characters that `str.strip` removes. JavaScript's `trim` leaves the separators and U+0085, and removes the byte
 * order mark.
 */
const pythonSpace = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const leadingSpace = new RegExp(`^${pythonSpace}+`)
const spaceCharacter = new RegExp(pythonSpace)

export function pythonStrip(text: string): string {
  let end = text.length
  while (end > 0 && spaceCharacter.test(text.charAt(end - 1))) end--
  return text.slice(0, end).replace(leadingSpace, '')
}

const namedEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

/**
 * Python's `repr(text)`: single quotes unless only those occur inside, and escapes for unprintable characters.
 * @example
 * pythonRepr("jack o'lantern") // "jack o'lantern" in double quotes
 */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(escaped, (character) => namedEscapes[character] ?? escapeCodePoint(character))
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote
}

function escapeCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
