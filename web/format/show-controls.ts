/**
 * Makes characters visible that would invisibly change how a text reads: control characters, terminal escapes,
 * bidirectional marks, zero-width characters. Line ends and tabs stay.
 *
 * @example
 * showControls('\u001b[31mred\u202e') // '␛[31mred⟨U+202E⟩'
 */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hidden, show)
}

/** Controls and format marks, except line ends, tabs, and the joiners that shape letters and emoji. */
const hidden = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

function show(character: string): string {
  const code = character.codePointAt(0) as number
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
