import { isPattern, readPythonPattern, type ToPlaceholders } from './plain-text.ts'
import { unread } from './quantities.ts'

export type QueryValues = Readonly<Record<string, readonly unknown[]>>

export interface AddressRules {
  fill(address: string): string
  toPlaceholders: ToPlaceholders
  query?: Readonly<Record<string, readonly unknown[]>> | undefined
  decodesBase64?: boolean
  ignores?(parameter: string): boolean
  readQuery?(query: QueryValues): QueryValues
}

export interface SiteAddress {
  base: string
  query: QueryValues
  fill(address: string): string
}

export function readSiteAddress(value: unknown, rules: AddressRules): SiteAddress {
  if (typeof value !== 'string' || value.trim() === '') throw unread(value, 'address')
  const { fill } = rules
  const written = value.trim()
  if (isPattern(written))
    return { base: written.replace(/\/+$/, ''), query: queryOf(rules.query ?? {}, rules), fill }
  const bare = written.replace(/\/+$/, '')
  const filled = bare.startsWith('__') ? fill(bare) : bare
  const clone = readClone(filled)
  if (clone !== null) return { base: clone, query: {}, fill }
  const known = rules.toPlaceholders(normalizeAddress(filled))
  const { origin, path, query, fragment } = split(known)
  const { rest, queries } = rules.decodesBase64 ? decodeSegments(path) : { rest: path, queries: [] }
  const own = rules.query ?? readQueryText([...queries, ...(query === '' ? [] : [query])].join('&'))
  return { base: `${origin}${rest}${fragment}`, query: queryOf(own, rules), fill }
}

export function isSameAddressPath(one: SiteAddress, other: SiteAddress): boolean {
  const isOne = isPattern(one.base)
  const isOther = isPattern(other.base)
  if (!isOne && !isOther) return trimmed(one.base) === trimmed(other.base)
  return (isOne && isMatched(one, other)) || (isOther && isMatched(other, one))
}

const trimmed = (base: string) => base.toLowerCase().replace(/\/+$/, '')

function isMatched({ base: pattern, fill }: SiteAddress, { base }: SiteAddress): boolean {
  const filled = (text: string) => (text.startsWith('__') ? fill(text) : text)
  return readPythonPattern(`^${filled(pattern.slice(1, -1))}$`, 'y')?.test(filled(base)) ?? false
}

// Reads `git@host:path` and `ssh://`, whose hosts all count as one.
function readClone(address: string): string | null {
  const [, user = 'git', path] =
    /^ssh:\/\/(?:([^@/]+)@)?[^/]+\/?(.*)$/i.exec(address) ??
    (address.includes('://') ? null : /^(git)@[^:]*:(.*)$/i.exec(address)) ??
    []
  if (path === undefined) return null
  return `${user.toLowerCase()}@__SSH_HOST__:${path.replace(/^\/+/, '').toLowerCase()}`
}

function split(address: string) {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    /^(?:([A-Za-z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  const origin = authority === '' ? '' : `${scheme.toLowerCase()}://${authority.toLowerCase()}`
  return {
    scheme: scheme.toLowerCase(),
    authority,
    origin,
    path,
    query,
    fragment: fragment === '#' ? '' : fragment,
  }
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

function normalizeAddress(address: string): string {
  const written = /^[A-Za-z][\w+.-]*:\/\//.test(address) ? address : `https://${address.replace(/^\/+/, '')}`
  const { scheme, authority, path, query, fragment } = split(
    written.replaceAll('#!', '?_escaped_fragment_=').replace(/[&? ]+$/, ''),
  )
  const [, host = '', port] = /^(.*?)(?::(\d*))?$/.exec(authority.toLowerCase()) ?? []
  const shownPort = port === undefined || port === '' || port === defaultPorts[scheme] ? '' : `:${port}`
  const parameters = query
    .split('&')
    .filter((each) => each !== '')
    .map((each) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(each) ?? []
      const key = quote(name, "~:/?[]@!$'()*+,;")
      return value === '' ? key : `${key}=${quote(value, "~:/?[]@!$'()*+,;")}`
    })
  const shownQuery = parameters.length === 0 ? '' : `?${parameters.join('&')}`
  const shownFragment = fragment === '' ? '' : `#${quote(fragment.slice(1), '~=')}`
  const shownPath = withoutDots(quote(path, "~:/#[]@!$&'()*+,;=")) || '/'
  return `${scheme}://${host}${shownPort}${shownPath}${shownQuery}${shownFragment}`
}

function withoutDots(path: string): string {
  const parts = path.split('/')
  const output: string[] = []
  for (const part of parts) {
    if (part === '..') {
      if (output.length > 1) output.pop()
    } else if (part === '' ? output.length === 0 : part !== '.') output.push(part)
  }
  if (['', '.', '..'].includes(parts.at(-1) ?? '')) output.push('')
  return output.join('/')
}

function quote(text: string, safe: string): string {
  const plain = decode(text).normalize('NFC')
  return plain.replace(/[^A-Za-z0-9_.~-]/gu, (one) => (safe.includes(one) ? one : percent(one)))
}

function percent(one: string): string {
  return [...new TextEncoder().encode(one)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}

function decode(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

export function readParameters(text: string): Map<string, string[]> {
  const read = new Map<string, string[]>()
  for (const each of text.split('&')) {
    if (each === '') continue
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(each.replaceAll('+', ' ')) ?? []
    const key = decode(name)
    read.set(key, [...(read.get(key) ?? []), decode(value)])
  }
  return read
}

function readQueryText(text: string): QueryValues {
  return Object.fromEntries(
    Array.from(readParameters(text), ([key, values]) => [decode(key), values.map(decode)]),
  )
}

function queryOf(query: QueryValues, { ignores, readQuery }: AddressRules): QueryValues {
  const kept = Object.entries(query)
    .filter(([key]) => !ignores?.(key))
    .map(([key, values]) => {
      const small = values.map((value) => (typeof value === 'string' ? value.toLowerCase().trim() : value))
      return [key, small.toSorted()] as const
    })
  const read = Object.fromEntries(kept)
  return readQuery === undefined || kept.length === 0 ? read : readQuery(read)
}

// Takes queries in base64 out of a path, as Magento's reports write them.
function decodeSegments(path: string): { rest: string; queries: string[] } {
  const queries: string[] = []
  const segments = path.split('/').filter((segment) => {
    if (!/^[A-Za-z0-9_-]{4,}={0,2}$/.test(segment)) return segment !== ''
    const text = Buffer.from(segment, 'base64url').toString('utf8')
    if (!text.includes('=') || text.includes('\ufffd')) return true
    const query = decode(text).trim()
    if (query === '') return true
    queries.push(query.replace(/^[?&]+/, ''))
    return false
  })
  const joined = segments.join('/')
  const lead = path.startsWith('/') ? '/' : ''
  const tail = path.endsWith('/') && joined !== '' ? '/' : ''
  return { rest: `${lead}${joined}${tail}`, queries }
}
