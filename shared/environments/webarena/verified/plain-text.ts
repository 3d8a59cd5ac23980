export type ToPlaceholders = (text: string) => string

const marks = /[\u2122\u00AE\u2120\u00A9]/g
const hyphen = '[\\u002D\\u2010-\\u2015\\u2212\\u00AD]'
const hyphenAtLetter = new RegExp(`(?<=[a-zA-Z])${hyphen}|${hyphen}(?=[a-zA-Z])`, 'g')

// Characters without a decomposition, in ASCII.
const inAscii: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', œ: 'oe', Œ: 'OE' },
  ...{ þ: 'th', Þ: 'Th', ð: 'd', Ð: 'D', ı: 'i', '‘': "'", '’': "'", '‚': ',', '‛': "'", '“': '"', '”': '"' },
  ...{
    '„': ',,',
    '‟': '"',
    '′': "'",
    '‒': '-',
    '–': '-',
    '—': '--',
    '―': '--',
    '−': '-',
    '•': '*',
    '·': '*',
  },
  ...{ '×': 'x', '÷': '/', '€': 'EUR', '£': 'PS', '¥': 'Y=', '¢': 'C/', '§': 'SS', '°': 'deg' },
  ...{ '«': '<<', '»': '>>', '¡': '!', '¿': '?' },
}

export function isPattern(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 2 && value.startsWith('^') && value.endsWith('$')
}

export function readPythonPattern(text: string, flags = ''): RegExp | null {
  const [lead = '', inline = ''] = /^\^?\(\?([ims]+)\)/.exec(text) ?? []
  const rest = lead === '' ? text : text.replace(`(?${inline})`, '')
  const pattern = rest.replaceAll('(?P<', '(?<').replaceAll('\\A', '^').replaceAll('\\Z', '$')
  try {
    return new RegExp(pattern, [...new Set(flags + inline)].join(''))
  } catch {
    return null
  }
}

export function matchesWhole(pattern: string, text: string, flags: string): boolean {
  return readPythonPattern(`^(?:${pattern})$`, flags)?.test(text) ?? false
}

/**
 * A text for comparison: small letters of ASCII, single spaces, no trademarks, addresses as placeholders. A pattern
 * stays as it is. Letters of other scripts stay, where WebArena-Verified transcribes them.
 */
export function plainText(text: string, toPlaceholders?: ToPlaceholders): string {
  if (text === '' || isPattern(text)) return text
  const known = toPlaceholders !== undefined && text.includes('http') ? toPlaceholders(text) : text
  const spaced = known.replace(marks, '').normalize('NFKC').replace(hyphenAtLetter, ' ')
  const printable = spaced.replace(/[\t\n\r]/g, ' ').replace(/\p{C}/gu, '')
  const ascii = printable
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (one) => inAscii[one] ?? (/[\p{L}\p{N}]/u.test(one) ? one : ''))
  return ascii.trim().replace(/\s+/g, ' ').toLowerCase()
}

const atEdges = /^['"`.,;:!?]+|['"`.,;:!?]+$/g

export function isSameText(one: string, other: string): boolean {
  if (isPattern(one) && matchesWhole(one, other, 'i')) return true
  if (isPattern(other) && matchesWhole(other, one, 'i')) return true
  return one === other || one.replace(atEdges, '') === other.replace(atEdges, '')
}

const likeEnough = 80

export function isSamePlace(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other
  const [left, right] = [one, other].map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_]/gu, ' ')
      .split(/\s+/)
      .filter((word) => word !== '')
      .toSorted()
      .join(' '),
  ) as [string, string]
  if (left === '' || right === '') return false
  return Math.round((200 * commonLength(left, right)) / (left.length + right.length)) >= likeEnough
}

function commonLength(one: string, other: string): number {
  let before = new Array<number>(other.length + 1).fill(0)
  for (const letter of one) {
    const row = [0]
    for (let at = 0; at < other.length; at += 1) {
      row.push(letter === other[at] ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0))
    }
    before = row
  }
  return before.at(-1) ?? 0
}
