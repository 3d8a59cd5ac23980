/** Blanks and zero-width characters, without line ends, as a class of a regular expression. */
export const blanks = ' \\t\\u00a0\\u2007\\u202f\\u3000\\u200b-\\u200d\\u2060\\ufeff'

const isBlank = new RegExp(`[\\s${blanks}]`)

interface Dress {
  open: string
  close: string
  kind: 'ticks' | 'emphasis' | 'quotes'
}

const dressed = (kind: Dress['kind'], ...pairs: readonly (readonly [open: string, close?: string])[]) =>
  pairs.map(([open, close = open]): Dress => ({ kind, open, close }))

/** The marks around a value; of marks with the same beginning, the longest first. */
const dresses: readonly Dress[] = [
  ...dressed('ticks', ['```'], ['``'], ['`']),
  ...dressed('emphasis', ['***'], ['**'], ['*'], ['___'], ['__'], ['_']),
  ...dressed('quotes', ['"'], ["'"], ['“', '”'], ['‘', '’'], ['«', '»'], ['「', '」']),
]

/**
 * Removes the marks around a whole value: back-ticks, emphasis and, in an action, quotes. Marks inside stay.
 *
 * @example
 * undress('**`search[red "big" mug]`**') // 'search[red "big" mug]'
 * undress('"a" or "b"') // '"a" or "b"'
 */
export function undress(
  value: string,
  kinds: readonly Dress['kind'][] = ['ticks', 'emphasis', 'quotes'],
): string {
  const wanted = dresses.filter(({ kind }) => kinds.includes(kind))
  let bare = trimBlanks(value)
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const inside = firstOf(wanted, (dress) => insideOf(bare, dress))
    if (inside === null) break
    bare = inside
  }
  return bare
}

const mostLayers = 8

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

function insideOf(value: string, { open, close, kind }: Dress): string | null {
  // A full stop after the marks belongs to the sentence.
  const whole = value.endsWith(`${close}.`) ? value.slice(0, -1) : value
  if (!whole.startsWith(open) || !whole.endsWith(close)) return null
  if (whole.length <= open.length + close.length) return null
  const inside = trimBlanks(whole.slice(open.length, whole.length - close.length))
  if (inside === '' || inside.startsWith(open) || (kind !== 'quotes' && inside.endsWith(close))) return null
  return belongTogether(inside, open, close) ? inside : null
}

/**
 * Tests whether marks inside leave the outer ones a pair: each is part of a word (`pick_up`), stands alone (`2 * 3`),
 * or opens before a word and closes after one.
 */
function belongTogether(inside: string, open: string, close: string): boolean {
  let isOpen = false
  for (let at = 0; at < inside.length; ) {
    const mark = [open, close].find((each) => inside.startsWith(each, at))
    if (mark === undefined) {
      at += 1
      continue
    }
    const [before, after] = [inside.charAt(at - 1), inside.charAt(at + mark.length)]
    at += mark.length
    if ((isWord(before) && isWord(after)) || (before === ' ' && after === ' ')) continue
    if (open.startsWith('`') || (isOpen ? mark !== close : mark !== open || !/[\s([{=,:]/.test(before)))
      return false
    isOpen = !isOpen
  }
  return !isOpen
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank.test(text.charAt(start))) start += 1
  while (end > start && isBlank.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/**
 * Puts usual blanks between words. Text in quotes or brackets may hold any character, and stays.
 *
 * @example
 * evenBlanks('get\u00a01\u00a0log') // 'get 1 log'
 */
export function evenBlanks(value: string): string {
  if (/["'`[\]]/.test(value)) return value
  return value.replace(/[\u00a0\u2007\u202f]/g, ' ').replace(/[\u200b\u2060\ufeff]/g, '')
}
