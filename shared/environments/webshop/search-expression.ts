/** More words than anybody searches for; each costs time. */
const mostWords = 64

/** Words that say nothing about a product, and would match most of them. */
const emptyWords = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

/** Keywords as a full-text query for any of their words; null when there is none to look for. */
export function searchExpression(keywords: string): string | null {
  const words = keywords
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.filter((word) => !emptyWords.has(word))
    .slice(0, mostWords)
  return words === undefined || words.length === 0 ? null : words.map((word) => `"${word}"`).join(' OR ')
}
