import { blanks } from './dress.ts'

/**
 * A label and its decoration start at `start`: at the start of a line, that is the start of the line. The value begins
 * at `end`, maybe after blanks. `close` has the marks that close after the value, as in `**Action: look**`.
 */
export interface Label {
  start: number
  word: number
  end: number
  close: string
  plain: boolean
  leads: boolean
}

/** Longer prefixes and suffixes are not decoration. */
const farthest = 64

const opening = '*_`"\'“‘«「(\\['
const closing = '*_`"\'”’»」)\\]'
const mirrored: Record<string, string> = { '“': '”', '‘': '’', '«': '»', '「': '」', '(': ')', '[': ']' }

/** Before a label on its line: bullets, quotes, headings, numbers, symbols, and opening marks. */
const prefix = new RegExp(
  `^[${blanks}>#+\\-–—•▪◦‣·\\p{Extended_Pictographic}\\ufe0f${opening}]*(?:\\d{1,3}[.):\\]]+[${blanks}${opening}]*)?$`,
  'u',
)
const number = `(?:[${blanks}]*(?:[#№_-][${blanks}]*|no\\.?[${blanks}]+)?[\\[(]?\\d{1,4}[\\])]?)?`
/** Words before a label's own, if it is emphasised or a heading: `**Next action:**`. */
const adjectives = new RegExp(
  `(?<=[*_#][${blanks}]*)(?:(?:my|the|next|final|overall|chosen|selected)[${blanks}]+)+$`,
  'iu',
)
/** After a label's word: a number, closing marks, and the colon, or a full stop after the number. */
const colon = new RegExp(
  `^${number}[${blanks}]*([${closing}]*)[${blanks}]*([:：﹕︓∶꞉=]|(?<=\\d)[.)](?=[${blanks}]))`,
  'iu',
)
const alone = new RegExp(`^${number}[${blanks}]*([${closing}]*)[${blanks}]*(?=[\\r\\n]|$)`, 'iu')

/**
 * Finds the labels with a word, in their order: at the start of a line in any case and decoration, elsewhere plain
 * (`Word:`) or emphasised (`**Word:**`). A heading or an emphasised line needs no colon. Takes one pass, with a
 * bounded look around each word.
 *
 * @param word - as written in prompts; a regular expression's source
 * @param equals - whether `=` counts as a colon
 */
export function findLabels(text: string, word: string, { equals = false } = {}): Label[] {
  const { all, exact } = patternsOf(word)
  return [...text.matchAll(all)].flatMap(({ 0: written, index }) => {
    const place = lookBefore(text, index)
    return lookBehind(text, index + written.length, place, { isExact: exact.test(written), equals }).map(
      (found) => ({
        word: index,
        start: index - place.length,
        leads: place.leads,
        ...found,
      }),
    )
  })
}

const patterns = new Map<string, { all: RegExp; exact: RegExp }>()

function patternsOf(word: string): { all: RegExp; exact: RegExp } {
  let found = patterns.get(word)
  if (found === undefined) {
    found = { all: new RegExp(word, 'gi'), exact: new RegExp(`^(?:${word})$`) }
    patterns.set(word, found)
  }
  return found
}

interface Place {
  leads: boolean
  isBare: boolean
  isHeading: boolean
  opened: string
  length: number
}

function lookBefore(text: string, at: number): Place {
  const nearby = text.slice(Math.max(0, at - farthest), at)
  const lineBreak = nearby.lastIndexOf('\n')
  const before = nearby.slice(lineBreak + 1)
  const dress = before.replace(adjectives, '')
  const leads = (lineBreak >= 0 || at <= farthest) && prefix.test(dress)
  const opened = (leads ? opensValue : opensEmphasis).exec(dress)?.[0].trim() ?? ''
  const isBare = opened === '' && (!leads || before.trim() === '')
  return {
    leads,
    isBare,
    isHeading: before.includes('#'),
    opened,
    length: leads ? before.length : opened.length,
  }
}

const opensValue = new RegExp(`[${opening}]+$|(?:\\*\\*|__) $`, 'u')
const opensEmphasis = /[*_]+$/

type Found = Pick<Label, 'end' | 'close' | 'plain'>

function lookBehind(
  text: string,
  at: number,
  { leads, isBare, isHeading, opened }: Place,
  { isExact, equals }: { isExact: boolean; equals: boolean },
): Found[] {
  const behind = text.slice(at, at + farthest)
  const closers = [...opened]
    .reverse()
    .map((mark) => mirrored[mark] ?? mark)
    .join('')
  const isPlain = isExact && behind.startsWith(':')
  const [label, closed = '', sign] = colon.exec(behind) ?? []
  if (sign === '=' && !equals) return []
  if (label === undefined) {
    const [heading, mark = ''] = alone.exec(behind) ?? []
    const isAlone = heading !== undefined && leads && (isHeading || (opened !== '' && mark === closers))
    return isAlone ? [{ end: at + heading.length, close: '', plain: false }] : []
  }
  if (!leads && !isPlain && opened === '') return []
  const left = closed === '' ? closers : closers.startsWith(closed) ? closers.slice(closed.length) : ''
  const { end, close } = closeBehind(text, at + label.length, left)
  if (!leads && !isPlain && close !== '') return []
  return [{ end, close, plain: isPlain && isBare }]
}

/** The end of a label whose marks may close after its colon; otherwise they close after the value. */
function closeBehind(text: string, end: number, marks: string): { end: number; close: string } {
  if (marks === '') return { end, close: '' }
  if (text.startsWith(marks, end)) return { end: end + marks.length, close: '' }
  const gap = new RegExp(`^[${blanks}]+`).exec(text.slice(end, end + farthest))?.[0].length ?? 0
  const behind = text.charAt(end + gap + marks.length)
  return text.startsWith(marks, end + gap) && /^\s?$/.test(behind)
    ? { end: end + gap + marks.length, close: '' }
    : { end, close: marks }
}

export function closeValue(value: string, close: string): string {
  if (close === '' || !value.endsWith(close)) return value
  const isBracket = close.startsWith(')') || close.startsWith(']')
  const open = close.startsWith(')') ? '(' : '['
  const isWhole = isBracket && value.split(open).length === value.split(close.charAt(0)).length
  return isWhole ? value : value.slice(0, -close.length)
}
