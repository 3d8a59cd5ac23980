/** What stands in place of each character of a block. */
const cover = '\0'

/**
 * A text in which blocks between triple back-ticks are covered, back-ticks included, so that nothing is found inside of them. All places
 * stay the same. A block that is not closed goes on to the end.
 */
export function coverBlocks(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, (block) => cover.repeat(block.length))
}

/** Where the first block of a covered text begins; less than 0 where there is none. */
export function startOfBlocks(covered: string): number {
  return covered.indexOf(cover)
}

/** Where the last block of a covered text ends, where one begins at a place; null where none does. */
export function endOfBlocks(covered: string, place: number): number | null {
  return covered.charAt(place) === cover ? covered.lastIndexOf(cover) + 1 : null
}
