const piece = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_])\s*|^\s+/gu

export function wordPieces(text: string): string[] {
  return text.match(piece) ?? []
}

export function wordsOf(text: string): string[] {
  return wordPieces(text).map((each) => each.trimEnd())
}
