const possibleEnd = /[.?!](?=[?!)";}\]*:@'({[]|\s+(?<next>\S+))/gu
const wordOrMark =
  /-{2,}|\.{2,}|(?:\.\s){2,}\.|(?=[^("`{[:;&#*@)}\]\-,])\S+?(?=\s|$|[?!)";}\]*:@'({[]|-{2,}|\.{2,}|(?:\.\s){2,}\.|,(?=$|\s|[?!)";}\]*:@'({[]|-{2,}|\.{2,}|(?:\.\s){2,}\.))|\S/gu
const closingMarks = /^["')\]}]+?(?:\s+|(?=--)|$)/u
const number = /^-?[.,]?\p{Nd}[\p{Nd},.-]*\.?$/u
const initial = /^\p{L}\.$/u

/**
 * Splits a text by the Punkt algorithm without training. It knows no abbreviations, so every word with a final period
 * ends a sentence. Exceptions are ellipses, and initials and numbers before a word in lower case. Kiss and Strunk,
 * Unsupervised Multilingual Sentence Boundary Detection, 2006.
 */
export function splitSentences(text: string): string[] {
  const spans: Span[] = []
  let start = 0
  for (const { end, next, context } of possibleEnds(text)) {
    if (!endsSentence(context)) continue
    spans.push({ start, end })
    start = next
  }
  spans.push({ start, end: text.trimEnd().length })
  return withClosingMarks(text, spans)
}

interface Span {
  start: number
  end: number
}

interface PossibleEnd {
  end: number
  next: number
  context: string
}

/** Adjacent marks in one word, as in `acting!!!`, are one possible end: the last. */
function possibleEnds(text: string): PossibleEnd[] {
  const ends: PossibleEnd[] = []
  let word = { start: 0, end: 0 }
  let pending: PossibleEnd | undefined
  for (const match of text.matchAll(possibleEnd)) {
    const space = text.slice(word.end, match.index).search(/\s\S*$/u)
    const start = space > 0 ? word.end + space + 1 : word.start
    if (pending !== undefined && word.end <= start) ends.push(pending)
    word = { start, end: match.index }
    const end = match.index + 1
    const next = match.groups?.next
    const follows = next === undefined ? end + 1 : text.indexOf(next, end) + next.length
    pending = {
      end,
      next: next === undefined ? end : follows - next.length,
      context: text.slice(start, follows),
    }
  }
  return pending === undefined ? ends : [...ends, pending]
}

function endsSentence(context: string): boolean {
  const words = context.match(wordOrMark) ?? []
  return words.slice(0, -1).some((word, index) => isSentenceEnd(word, words[index + 1] ?? ''))
}

function isSentenceEnd(word: string, next: string): boolean {
  if (['.', '?', '!'].includes(word)) return true
  if (!word.endsWith('.') || word.endsWith('..')) return false
  if (!number.test(word) && !initial.test(word)) return true
  const startsLower = /^\p{Ll}/u.test(next)
  const isUnknownInitial = initial.test(word) && /^\p{Lu}/u.test(next)
  return !(startsLower || /^[;:,.!?]$/.test(next) || isUnknownInitial)
}

function withClosingMarks(text: string, spans: readonly Span[]): string[] {
  const sentences: string[] = []
  let taken = 0
  for (const [index, { start, end }] of spans.entries()) {
    const following = spans[index + 1]
    const own = start + taken
    const marks =
      following === undefined
        ? ''
        : (closingMarks.exec(text.slice(following.start, following.end))?.[0] ?? '')
    taken = marks.length
    const last = following !== undefined && taken > 0 ? following.start + marks.trimEnd().length : end
    if (last > own) sentences.push(text.slice(own, last))
  }
  return sentences
}
