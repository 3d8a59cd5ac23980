export class UnreadValueError extends Error {
  override readonly name = 'UnreadValueError'
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const words: Readonly<Record<string, number>> = Object.fromEntries([
  ...[
    ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
    ...[
      'eleven',
      'twelve',
      'thirteen',
      'fourteen',
      'fifteen',
      'sixteen',
      'seventeen',
      'eighteen',
      'nineteen',
    ],
  ].map((word, number) => [word, number]),
  ...['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].map((word, index) => [
    word,
    20 + 10 * index,
  ]),
])
const powers: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 }

export function unread(value: unknown, format: string): UnreadValueError {
  return new UnreadValueError(`${JSON.stringify(value) ?? 'nothing'} is no ${format}`)
}

export function readNumeral(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string' || value === '') throw unread(value, 'number')
  const digits = value.replace(/[, ]/g, '')
  return decimal.test(digits) ? Number(digits) : readWords(value)
}

function readWords(text: string): number {
  const [before = '', after] = text.replaceAll('-', ' ').split(/\bpoint\b/)
  let known = 0
  let total = 0
  let group = 0
  for (const word of before.split(' ')) {
    const power = powers[word]
    if (words[word] !== undefined) group += words[word]
    else if (word === 'hundred') group = (group || 1) * 100
    else if (power !== undefined) {
      total += (group || 1) * power
      group = 0
    } else continue
    known += 1
  }
  const behind = (after ?? '').split(' ').flatMap((word) => words[word] ?? [])
  if (known + behind.length === 0) throw unread(text, 'number')
  return total + group + (behind.length > 0 ? Number(`0.${behind.join('')}`) : 0)
}

export function readPrice(value: unknown): number {
  if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) throw unread(value, 'price')
  const written = String(value)
  const isNegative = written.startsWith('-')
  const text = isNegative ? written.replaceAll('-', '') : written
  const isPoint = text.lastIndexOf('.') > text.lastIndexOf(',')
  const [, found] = /([.]?\d[\d\s.,']*)\s*?(?:[^%\d]|$)/.exec(text) ?? []
  if (found === undefined) {
    if (text.includes('free')) return 0
    throw unread(value, 'price')
  }
  const trimmed = found.replace(/[,.]+$/, '').replace(/['\s]/g, '')
  const plain = isPoint ? trimmed.replaceAll(',', '') : trimmed.replaceAll('.', '').replaceAll(',', '.')
  if (!decimal.test(plain)) throw unread(value, 'price')
  return Number(plain) * (isNegative ? -1 : 1)
}

export function isSamePrice(one: number, other: number): boolean {
  return Math.round(Math.abs(one - other) * 1e6) / 1e6 <= 0.1
}

const metres: readonly (readonly [RegExp, number])[] = [
  [/^(?:m|met(?:er|re)s?)$/, 1],
  [/^(?:km|kilomet(?:er|re)s?)$/, 1000],
  [/^(?:cm|centimet(?:er|re)s?)$/, 0.01],
  [/^(?:mm|millimet(?:er|re)s?)$/, 0.001],
  [/^(?:mi|miles?)$/, 1609.344],
  [/^(?:ft|foot|feet)$/, 0.3048],
  [/^(?:yd|yards?)$/, 0.9144],
  [/^(?:in|inch|inches)$/, 0.0254],
]

export function readDistance(value: unknown): number {
  const text = String(value ?? '')
    .replace(/^\$|\.$/g, '')
    .replace(/(\d+(?:\.\d+)?)\s*k(?=\s|$)/gi, '$1 km')
  const [, digits = '', unit = ''] = /^([+-]?[\d.,]+(?:e[+-]?\d+)?)\s*\*?\s*([a-z]+)$/.exec(text.trim()) ?? []
  const number = digits.replaceAll(',', '')
  const [, factor] = metres.find(([name]) => name.test(unit)) ?? []
  if (factor === undefined || !decimal.test(number)) throw unread(value, 'distance with a unit')
  return Number(number) * factor
}

export function isSameDistance(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(10, Math.max(one, other) * 0.02)
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:ys?|yrs?|years?)$/, 365 * 86_400],
  [/^(?:mos?|mths?|months?)$/, 30 * 86_400],
  [/^(?:w|wks?|weeks?)$/, 7 * 86_400],
  [/^(?:d|dys?|days?)$/, 86_400],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 0.001],
]

export function readDuration(value: unknown): number {
  if (typeof value !== 'string' || value === '') throw unread(value, 'duration with a unit')
  const [, sign = '', text = ''] =
    /^\s*([+-]?)\s*(.*)$/.exec(value.replace(/(\d+):(\d+)\s*hours?/g, '$1h$2m')) ?? []
  const seconds = readClock(text) ?? readUnits(text)
  if (seconds === null) throw unread(value, 'duration with a unit')
  return sign === '-' ? -seconds : seconds
}

function readClock(text: string): number | null {
  const [, days, hours, minutes, seconds] =
    /^(?:(?:(?:(\d+):)?(\d+):(?=\d\d:))?(\d{1,2}))?:(\d\d(?:\.\d+)?)$/.exec(text) ?? []
  if (seconds === undefined) return null
  const of = (part: string | undefined, factor: number) => Number(part ?? 0) * factor
  return of(days, 86_400) + of(hours, 3600) + of(minutes, 60) + Number(seconds)
}

function readUnits(text: string): number | null {
  let rest = text
  let total = 0
  let last = -1
  while (rest !== '') {
    const [all = '', number = '', unit = ''] = /^\s*([\d.]+)\s*([a-z]+)\s*[,/]?\s*/.exec(rest) ?? []
    const at = units.findIndex(([name]) => name.test(unit))
    if (at <= last || !decimal.test(number)) return null
    total += Number(number) * (units[at]?.[1] ?? 0)
    last = at
    rest = rest.slice(all.length)
  }
  return last < 0 ? null : total
}

export function isSameDuration(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(180, Math.max(one, other) * 0.1)
}
