import nlp from 'compromise/two'

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
