import { readDate, readMonth } from './dates.ts'
import {
  isPattern,
  isSamePlace,
  isSameText,
  matchesWhole,
  plainText,
  type ToPlaceholders,
} from './plain-text.ts'
import {
  isSameDistance,
  isSameDuration,
  isSamePrice,
  readDistance,
  readDuration,
  readNumeral,
  readPrice,
  unread,
} from './quantities.ts'
import { type AddressRules, isSameAddressPath, readSiteAddress, type SiteAddress } from './site-address.ts'

export interface ReadingRules extends Partial<AddressRules> {
  toPlaceholders: ToPlaceholders
}

interface ValueFormat {
  read(value: unknown, rules: ReadingRules): unknown
  isSame(one: never, other: never): boolean
  isPlain?: false
  isFirst?: true
}

export class NormalValue {
  readonly format: string
  readonly alternatives: readonly unknown[]

  constructor(format: string, alternatives: readonly unknown[]) {
    this.format = format
    this.alternatives = alternatives
  }

  equals(other: unknown): boolean {
    const theirs = this.#formOf(other)
    if (theirs === null) return false
    const { isSame, isFirst } = formats[this.format] as ValueFormat
    const [ours, others] = isFirst
      ? [this.alternatives.slice(0, 1), theirs.slice(0, 1)]
      : [this.alternatives, theirs]
    return ours.some((one) => others.some((each) => isSame(one as never, each as never)))
  }

  #formOf(other: unknown): readonly unknown[] | null {
    if (other instanceof NormalValue) return other.format === this.format ? other.alternatives : null
    return this.format === 'string' && typeof other === 'string' ? [plainText(other)] : null
  }
}

const same = (one: unknown, other: unknown) => one === other
const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, 1: true, t: true, on: true },
  ...{ false: false, no: false, n: false, 0: false, f: false, off: false },
}

const number: ValueFormat = { read: readNumeral, isSame: same }

export const formats: Readonly<Record<string, ValueFormat>> = {
  string: { read: readText, isSame: isSameText },
  number,
  integer: number,
  boolean: { read: readBoolean, isSame: same },
  currency: { read: readPrice, isSame: isSamePrice, isFirst: true },
  date: { read: readDate, isSame: same },
  month: { read: readMonth, isSame: same },
  duration: { read: readDuration, isSame: isSameDuration },
  distance: { read: readDistance, isSame: isSameDistance },
  coordinates: { read: readPoint, isSame: isSamePoint, isFirst: true },
  url: {
    read: (value, rules) => readSiteAddress(value, { fill: (address) => address, ...rules }),
    isSame: isSameAddress,
    isPlain: false,
  },
  string_list: { read: readStringList, isSame: same },
  null: { read: readNothing, isSame: same, isPlain: false },
  json: { read: readJson, isSame: same },
  markdown: { read: readMarkdown, isSame: same, isPlain: false },
  base64: { read: readBase64, isSame: isSameContent, isPlain: false },
  'location-name': { read: (value) => readText(value).trim(), isSame: isSamePlace },
}

export function normalValue(format: string, value: unknown, rules: ReadingRules): NormalValue {
  const known = formats[format]
  if (known === undefined) throw unread(format, 'format that can be compared')
  const read = (each: unknown) =>
    known.read(
      typeof each === 'string' && known.isPlain !== false ? plainText(each, rules.toPlaceholders) : each,
      rules,
    )
  const isPair =
    format === 'coordinates' && Array.isArray(value) && value.length === 2 && value.every(isScalar)
  if (!Array.isArray(value) || isPair) return new NormalValue(format, [read(value)])
  if (value.length < 2) throw unread(value, 'choice of two or more values')
  return new NormalValue(format, value.map(read))
}

const isScalar = (value: unknown) => ['number', 'string'].includes(typeof value)

function readText(value: unknown): string {
  if (!value) return ''
  if (isPattern(value)) return String(value).trim()
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).toLowerCase().trim()
}

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean' || typeof value === 'number') return Boolean(value)
  const truth = typeof value === 'string' ? truths[value] : undefined
  if (truth === undefined) throw unread(value, 'boolean')
  return truth
}

interface Point {
  latitude: number
  longitude: number
}

function readPoint(value: unknown): Point {
  const [latitude, longitude] = pairOf(value).map((part) => (part === '' ? Number.NaN : Number(part)))
  if (
    latitude === undefined ||
    longitude === undefined ||
    !(Math.abs(latitude) <= 90) ||
    Number.isNaN(longitude)
  )
    throw unread(value, 'pair of coordinates')
  return { latitude, longitude: ((((longitude + 180) % 360) + 360) % 360) - 180 }
}

function pairOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string')
    return /([+-]?\d+(?:\.\d+)?)\s*[,;/\s]\s*([+-]?\d+(?:\.\d+)?)\s*$/.exec(value)?.slice(1) ?? []
  const keys = Object.keys(value ?? {})
  const named = (isName: (key: string) => boolean) =>
    keys.find((key) => key.length > 1 && isName(key.toLowerCase()))
  const latitude = named((key) => 'latitude'.startsWith(key))
  const longitude = named((key) => 'longitude'.startsWith(key) || key === 'lng')
  if (latitude === undefined || longitude === undefined) return []
  const given = value as Record<string, unknown>
  return [given[latitude], given[longitude]]
}

function isSamePoint(one: Point, other: Point): boolean {
  const near = (left: number, right: number) => Math.abs(left - right) <= 1e-5
  return near(one.latitude, other.latitude) && near(one.longitude, other.longitude)
}

export function isSameAddress(one: SiteAddress, other: SiteAddress): boolean {
  const keys = new Set([...Object.keys(one.query), ...Object.keys(other.query)])
  return (
    isSameAddressPath(one, other) &&
    [...keys].every((key) => isSameParameter(one.query[key], other.query[key]))
  )
}

function isSameParameter(
  [one = '']: readonly unknown[] = [],
  [other = '']: readonly unknown[] = [],
): boolean {
  if (one instanceof NormalValue) return one.equals(other)
  if (!isPattern(one)) return (one ?? '') === (other ?? '')
  const text = other instanceof NormalValue ? String(other.alternatives[0]) : String(other)
  return matchesWhole(String(one), text, '')
}

function readStringList(value: unknown): string {
  const items = String(value || '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (items.length === 0) throw unread(value, 'list of texts')
  return items.toSorted().join(',')
}

function readNothing(value: unknown): null {
  const text =
    typeof value === 'string'
      ? value
          .trim()
          .toLowerCase()
          .replace(/\s*\/\s*/g, '/')
      : value
  const isEmpty =
    text === null ||
    text === undefined ||
    text === '' ||
    (typeof text === 'object' && Object.keys(text).length === 0)
  if (isEmpty || ['n/a', 'na', 'nan', 'null', 'none'].includes(String(text))) return null
  throw unread(value, 'empty value')
}

function readJson(value: unknown): string {
  try {
    return JSON.stringify(sorted(JSON.parse(value as string)))
  } catch {
    throw unread(value, 'JSON')
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

const markdownRules: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/\r\n?/g, '\n'],
  [/[ \t]+$/gm, ''],
  [/\n{3,}/g, '\n\n'],
  [/^(\s*)(#{1,6})[ \t]+/gm, '$1$2 '],
  [/^(\s*)[*+][ \t]+/gm, '$1- '],
  [/^[ \t]+(-)/gm, '  $1'],
  [/\[([^\]]*?)\n\s*([^\]]*?)\](\([^)]+\))/g, '[$1 $2]$3'],
  [/\[([^\]]+)\]/g, (_: string, text = '') => `[${text.trim().split(/\s+/).join(' ')}]`],
  [/\(\s*([^)]+?)\s*\)/g, '($1)'],
]

function readMarkdown(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw unread(value, 'Markdown')
  return markdownRules
    .reduce((text, [pattern, by]) => text.replace(pattern, by as string), value.trim())
    .trim()
}

function readBase64(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (isPattern(text)) return text
  const isCode = text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  const content = isCode ? Buffer.from(text, 'base64').toString('utf8') : '\ufffd'
  if (content.includes('\ufffd')) throw unread(value, 'base64')
  return content.replace(/\r\n?/g, '\n').trim()
}

function isSameContent(one: string, other: string): boolean {
  if (isPattern(one) && matchesWhole(one, other, 's')) return true
  if (isPattern(other) && matchesWhole(other, one, 's')) return true
  return one === other
}
