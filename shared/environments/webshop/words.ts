import nlp from 'compromise/two'
import { token_set_ratio } from 'fuzzball'

/**
 * The nouns of a product's title, in lower case and in order. The original takes those that spaCy's large English model
 * sees; here the tagger of the compromise library finds them. The two agree on the overlaps that the original's own
 * tests name; where they differ, only products of other searches and other categories are affected (docs/environments.md has
 * what could be measured).
 */
export function titleNouns(title: string): string[] {
  return nlp(title)
    .docs.flat()
    .filter(({ tags, text }) => tags?.has('Noun') === true && text !== '')
    .map(({ text }) => text.toLowerCase())
}

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
