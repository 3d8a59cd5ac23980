import { token_set_ratio } from 'fuzzball'

/** Two texts name the same thing when they score above this, of 100. */
const leastScore = 85

/** A text prepared for {@link hasSimilarWords}: its words in lower case, without anything else. */
export function wordsOf(text: string): string {
  return text
    .replace(/[\u0080-\u00ff]/g, '')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/**
 * Whether two texts have nearly the same words, or one has all words of the other: `token_set_ratio` of Python's thefuzz
 * above 85. Words are separated as thefuzz does it (accented Latin letters are left out, an underscore is a letter); the
 * ratio differs by at most one where thefuzz rounds a half down, never at this threshold.
 *
 * @param one, other as {@link wordsOf} gives them
 */
export function hasSimilarWords(one: string, other: string): boolean {
  if (one === '' || other === '') return false
  return token_set_ratio(one, other, { full_process: false }) > leastScore
}
