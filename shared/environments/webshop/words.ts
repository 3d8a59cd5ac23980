import nlp from 'compromise/two'
import { token_set_ratio } from 'fuzzball'

/**
 * The nouns of a product's title, in lower case and in order. The original uses spaCy's large English model; here the
 * tagger of the compromise library finds them. The two agree on the overlaps in the original's own tests. Differences
 * affect only products of other searches and other categories (docs/environments.md has the measurements).
 */
export function titleNouns(title: string): string[] {
  return nlp(title)
    .docs.flat()
    .filter(({ tags, text }) => tags?.has('Noun') === true && text !== '')
    .map(({ text }) => text.toLowerCase())
}

/** Two texts name the same product when they score above this, of 100. */
const leastScore = 85

export function wordsOf(text: string): string {
  return text
    .replace(/[\u0080-\u00ff]/g, '')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/**
 * Tests if two texts have nearly the same words, or one has all words of the other: `token_set_ratio` of Python's
 * thefuzz above 85. Words are separated as in thefuzz (accented Latin letters are left out, an underscore is a
 * letter). The ratio differs by at most one if thefuzz rounds a half down, never at this threshold.
 * @param one, other results of {@link wordsOf}
 */
export function hasSimilarWords(one: string, other: string): boolean {
  if (one === '' || other === '') return false
  return token_set_ratio(one, other, { full_process: false }) > leastScore
}
