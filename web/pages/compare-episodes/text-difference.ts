import { longestCommon, type Match, pairsToCompare } from './longest-common.ts'

export interface TextPart {
  text: string
  isOnlyHere: boolean
}

/** More pairs of pieces are not compared, so that a page of two long texts stays fast. */
const mostPairs = 1_000_000

export function textDifference(left: string, right: string): { left: TextPart[]; right: TextPart[] } {
  const words = { left: wordPieces(left), right: wordPieces(right) }
  const isShort = pairsToCompare(bare(words.left), bare(words.right)) <= mostPairs
  const pieces = isShort ? words : { left: linePieces(left), right: linePieces(right) }
  const matches = longestCommon(bare(pieces.left), bare(pieces.right), { mostPairs })
  const shared = matches.filter((match, at) => !isParted(match, matches[at + 1], pieces))
  return {
    left: partsOf(pieces.left, new Set(shared.map(([piece]) => piece))),
    right: partsOf(pieces.right, new Set(shared.map(([, piece]) => piece))),
  }
}

function isParted(
  [left, right]: Match,
  next: Match | undefined,
  pieces: { left: readonly string[]; right: readonly string[] },
): boolean {
  return next?.[0] === left + 1 && next[1] === right + 1 && pieces.left[left] !== pieces.right[right]
}

function bare(pieces: readonly string[]): string[] {
  return pieces.map((piece) => piece.trimEnd())
}

function linePieces(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

function partsOf(pieces: readonly string[], shared: ReadonlySet<number>): TextPart[] {
  const parts: TextPart[] = []
  pieces.forEach((text, at) => {
    const isOnlyHere = !shared.has(at)
    const last = parts.at(-1)
    if (last?.isOnlyHere === isOnlyHere) last.text += text
    else parts.push({ text, isOnlyHere })
  })
  return parts
}

const piece = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_])\s*|^\s+/gu

function wordPieces(text: string): string[] {
  return text.match(piece) ?? []
}

export function wordsOf(text: string): string[] {
  return wordPieces(text).map((each) => each.trimEnd())
}
