/** A word or a sign, with the white space that follows it. */
const piece = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_])\s*|^\s+/gu

/** A text in pieces that make it up again: each a word or a sign with the white space behind it. */
export function wordPieces(text: string): string[] {
  return text.match(piece) ?? []
}

/** The words and signs of a text, in their order. */
export function wordsOf(text: string): string[] {
  return wordPieces(text).map((each) => each.trimEnd())
}
