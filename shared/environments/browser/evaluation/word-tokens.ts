import { splitSentences } from './sentences.ts'

type Rule = readonly [pattern: RegExp, replacement: string]

const startingQuotes: Rule[] = [
  [/([«“‘„]|`+)/gu, ' $1 '],
  [/^"/gu, '``'],
  [/(``)/gu, ' $1 '],
  [/([ ([{<])("|'{2})/gu, '$1 `` '],
  [/(')(?!re|ve|ll|m|t|s|d|n)([\p{L}\p{N}_])(?![\p{L}\p{N}_])/giu, '$1 $2'],
]
const punctuation: Rule[] = [
  [/([^.])(\.)([\])}>"'»”’ ]*)\s*$/gu, '$1 $2 $3 '],
  [/([:,])([^\p{Nd}])/gu, ' $1 $2'],
  [/([:,])$/gu, ' $1 '],
  [/(\.{2,})/gu, ' $1 '],
  [/([;@#$%&])/gu, ' $1 '],
  [/([^.])(\.)([\])}>"']*)\s*$/gu, '$1 $2$3 '],
  [/([?!])/gu, ' $1 '],
  [/([^'])' /gu, "$1 ' "],
  [/([*])/gu, ' $1 '],
  [/([\][(){}<>])/gu, ' $1 '],
  [/--/gu, ' -- '],
]
const endingQuotes: Rule[] = [
  [/([»”’])/gu, ' $1 '],
  [/''/gu, " '' "],
  [/"/gu, " '' "],
  [/\s+/gu, ' '],
  [/([^' ])('s|'m|'d|') /giu, '$1 $2 '],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, '$1 $2 '],
]
const contractions: Rule[] = [
  'can|not',
  "d|'ye",
  'gim|me',
  'gon|na',
  'got|ta',
  'lem|me',
  "more|'n",
  'wan|na',
].map((pair) => {
  const [first = '', second = ''] = pair.split('|')
  const after = pair === 'wan|na' ? '(?=\\s)' : '(?![\\p{L}\\p{N}_])'
  return [new RegExp(`(?<![\\p{L}\\p{N}_])(${first})(${second})${after}`, 'giu'), ' $1 $2 ']
})
const shortened: Rule[] = [
  [/ ('t)(is)(?![\p{L}\p{N}_])/giu, ' $1 $2 '],
  [/ ('t)(was)(?![\p{L}\p{N}_])/giu, ' $1 $2 '],
]

/**
 * The words of a text as NLTK's `word_tokenize` finds them: by sentences, and in each by the rules of the Penn
 * Treebank. VisualWebArena's evaluators compare single words by them, so `0` is not found in `100`.
 * @example
 * wordTokens("it's 12:30.") // ['it', "'s", '12:30', '.']
 */
export function wordTokens(text: string): string[] {
  return splitSentences(text).flatMap(sentenceTokens)
}

function sentenceTokens(sentence: string): string[] {
  const spaced = apply(punctuation, apply(startingQuotes, sentence))
  return apply(shortened, apply(contractions, apply(endingQuotes, ` ${spaced} `)))
    .split(/\s+/u)
    .filter((word) => word !== '')
}

function apply(rules: readonly Rule[], text: string): string {
  return rules.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text)
}
