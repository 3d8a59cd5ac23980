import { EspalierError } from '../../core/contracts/errors.ts'
import { type TextWord, textWords } from './text-words.ts'

export interface Phrase {
  words: string[]
  isPrefix: boolean
}

export interface TextQuery {
  phrases: Phrase[]
}

export interface TextMatch {
  phrase: number
  start: number
  end: number
}

const mostPhrases = 20
const operators = new Set(['AND', 'OR', 'NOT', 'NEAR'])

/**
 * Parses a search: words, `"quoted phrases"` and `prefix*`, all of which must match. A word with signs inside, such
 * as `file-name`, is a phrase.
 * @example
 * parseTextQuery('white "get 3 wool" bed*')
 * @throws EspalierError `invalid_request` with `q` as its `param`
 */
export function parseTextQuery(q: string): TextQuery {
  const phrases: Phrase[] = []
  for (const [part, quoted] of q.matchAll(/"([^"]*)"|"|[^\s"]+/g)) {
    if (part === '"') throw refuse('A quotation mark in it is not closed. Close it, or leave it out.')
    phrases.push(quoted === undefined ? readWord(part) : toPhrase(part, quoted, false))
  }
  if (phrases.length === 0) throw refuse('It is empty. Give at least one word to search for.')
  if (phrases.length > mostPhrases) {
    throw refuse(
      `It has ${phrases.length} words and phrases, more than the ${mostPhrases} that one search can have.`,
    )
  }
  return { phrases }
}

function readWord(part: string): Phrase {
  if (operators.has(part)) {
    throw refuse(
      `"${part}" is no operator here: all words must be found. Leave it out, or write it in lower case to search for the word.`,
    )
  }
  const star = part.indexOf('*')
  if (star === -1) return toPhrase(part, part, false)
  if (star === part.length - 1 && star > 0) return toPhrase(part, part.slice(0, -1), true)
  throw refuse(
    `In "${part}" the star does not end a word: only the beginning of a word can be searched for, as in "wor*".`,
  )
}

function toPhrase(shown: string, text: string, isPrefix: boolean): Phrase {
  const words = Array.from(textWords(text), ({ word }) => word)
  if (words.length > 0) return { words, isPrefix }
  throw refuse(
    `In ${shown.startsWith('"') ? shown : `"${shown}"`} there is no letter or digit to search for. Leave it out.`,
  )
}

function refuse(message: string): EspalierError {
  return new EspalierError('invalid_request', `The search cannot be read. ${message}`, { param: 'q' })
}

export function findMatches(text: string, { phrases }: TextQuery): TextMatch[] | null {
  const words = [...textWords(text)]
  const found = phrases.map((phrase, index) => matchesOf(words, phrase, index))
  if (found.some((matches) => matches.length === 0)) return null
  return found.flat().sort((one, other) => one.start - other.start || other.end - one.end)
}

function matchesOf(
  words: readonly TextWord[],
  { isPrefix, words: wanted }: Phrase,
  phrase: number,
): TextMatch[] {
  const matches: TextMatch[] = []
  const last = wanted.length - 1
  const fits = (at: number) =>
    wanted.every((word, offset) => {
      const own = words[at + offset]?.word
      return own !== undefined && (isPrefix && offset === last ? own.startsWith(word) : own === word)
    })
  for (const [at, { start }] of words.entries()) {
    if (fits(at)) matches.push({ phrase, start, end: words[at + last]?.end ?? start })
  }
  return matches
}
