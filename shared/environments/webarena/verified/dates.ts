import { unread } from './quantities.ts'

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august'],
  ...['september', 'october', 'november', 'december'],
]
const idle =
  /^(?:at|on|and|of|st|nd|rd|th|t|z|utc|gmt|am|pm|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satu?r?|sun)(?:day)?)$/

// `2023-03-11`. The month comes first if both orders are possible. A date without its day or year is none.
export function readDate(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw unread(value, 'date')
  const { day, month, year } = readParts(value)
  if (day === undefined || month === undefined || year === undefined) throw unread(value, 'whole date')
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) throw unread(value, 'date')
  return date.toISOString().slice(0, 10)
}

export function readMonth(value: unknown): string {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  const month = typeof number === 'string' && number !== '' ? readParts(number).month : number
  const name = typeof month === 'number' ? months[month - 1] : undefined
  if (name === undefined) throw unread(value, 'month')
  return name
}

interface DateParts {
  day?: number | undefined
  month?: number | undefined
  year?: number | undefined
}

function readParts(text: string): DateParts {
  const plain = text.replace(/\d+:\d\d(?::\d\d(?:\.\d+)?)?(?:\s*[ap]m)?(?:[+-]\d\d:?\d\d)?/g, ' ')
  const parts = plain.match(/\d+|[a-z]+/g) ?? []
  const numbers = parts.filter((part) => /\d/.test(part))
  const names = parts.filter((part) => !/\d/.test(part) && !idle.test(part))
  const named = names.map((name) =>
    months.findIndex((each) => name.length > 2 && each.startsWith(name.replace(/^sept$/, 'sep'))),
  )
  if (/[^\w\s,./:;+'()-]/.test(text) || named.length > 1 || named.includes(-1) || numbers.length > 3)
    throw unread(text, 'date')
  const [month] = named
  return month === undefined ? ofNumbers(numbers, text) : { ...besideName(numbers), month: month + 1 }
}

function ofNumbers(numbers: readonly string[], text: string): DateParts {
  const [first = '', second = '', third] = numbers
  if (first.length === 8 && second === '')
    return ofNumbers([first.slice(0, 4), first.slice(4, 6), first.slice(6)], text)
  if (first.length === 4)
    return { year: Number(first), month: Number(second), day: third ? Number(third) : undefined }
  if (numbers.length < 2) throw unread(text, 'date')
  if (third === undefined && second.length === 4) return { month: Number(first), year: Number(second) }
  const [month, day] = Number(first) > 12 ? [second, first] : [first, second]
  return { month: Number(month), day: Number(day), year: third === undefined ? undefined : fullYear(third) }
}

function besideName(numbers: readonly string[]): DateParts {
  const year = numbers.find((number) => number.length > 2 || Number(number) > 31) ?? numbers[1]
  const day = numbers.find(
    (number) => number !== year || numbers.indexOf(number) !== numbers.lastIndexOf(number),
  )
  return {
    year: year === undefined ? undefined : fullYear(year),
    day: day === undefined ? undefined : Number(day),
  }
}

function fullYear(text: string): number {
  const number = Number(text)
  if (text.length > 2) return number
  return number + (number < 76 ? 2000 : 1900)
}
