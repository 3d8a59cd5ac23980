import { differences } from './compare.ts'
import { isPathKey, readAtPath } from './json-path.ts'
import {
  contentFields,
  cookiesOf,
  headersOf,
  isNavigation,
  isScored,
  type NetworkEvent,
} from './network-trace.ts'
import { normalValue } from './normal-value.ts'
import { type Normal, type NormalizeRules, normalizeObject } from './normalize.ts'
import { readPythonPattern } from './plain-text.ts'
import { isSameAddressPath, type QueryValues, readSiteAddress, type SiteAddress } from './site-address.ts'
import type { EventCheck } from './verified-task.ts'

type Fields = Readonly<Record<string, unknown>>

interface EventContent {
  url: string | readonly string[]
  headers: Fields
  query?: QueryValues | undefined
  post: Fields | null
  content: Fields | null
  cookies: Fields
  status: number
  method: string
}

export function eventFaults(
  check: EventCheck,
  events: readonly NetworkEvent[],
  { isNavigate, rules }: { isNavigate: boolean; rules: Omit<NormalizeRules, 'isStrict'> },
): string[] {
  const { expected, should_not_exist: isUnwanted } = check
  const strict = { ...rules, isStrict: true }
  const lenient = { ...rules, isStrict: false }
  const found = findEvents(check, events.filter(isScored), isNavigate, strict)
  if (isUnwanted)
    return found.length === 0 ? [] : [`${found.length} requests of ${String(expected.url)} were made`]
  const wanted = normalContent(check, contentOf(expected), strict)
  const tried = check.last_event_only ? found.slice(-1) : found
  const faults = tried.map((event) =>
    differences(normalContent(check, contentFrom(event, expected), lenient), wanted, 'request', {
      mayHaveMore: true,
    }),
  )
  if (faults.some((each) => each.length === 0)) return []
  return faults.at(-1) ?? [`no ${expected.http_method} of ${String(expected.url)}`]
}

function findEvents(
  check: EventCheck,
  events: readonly NetworkEvent[],
  isNavigate: boolean,
  rules: NormalizeRules,
): NetworkEvent[] {
  const { expected } = check
  if (isNavigate && expected.http_method === 'GET') return events.filter(isNavigation).slice(-1)
  const wanted = addressesOf(expected.url, check, rules)
  const referer = expected.headers?.referer
  const wantedReferer = referer === undefined ? null : addressesOf(referer, check, rules)
  const isOf = (address: string, ones: readonly SiteAddress[]) => {
    const [read] = addressesOf(address, check, rules)
    return ones.some((one) => read !== undefined && isSameAddressPath(one, read))
  }
  return events.filter((event) => {
    if (event.request.method.toLowerCase() !== expected.http_method.toLowerCase()) return false
    if (!isOf(event.request.url, wanted)) return false
    const own = headersOf(event).get('referer')?.toLowerCase()
    return wantedReferer === null || !own || isOf(own, wantedReferer)
  })
}

function contentOf(expected: EventCheck['expected']): EventContent {
  return {
    url: expected.url,
    headers: expected.headers ?? {},
    query: (expected.query_params as QueryValues | null | undefined) ?? undefined,
    post: expected.post_data ?? null,
    content: expected.response_content ?? null,
    cookies: expected.response_cookies ?? {},
    status: expected.response_status,
    method: expected.http_method,
  }
}

function contentFrom(event: NetworkEvent, expected: EventCheck['expected']): EventContent {
  const { request, response } = event
  const headers = headersOf(event)
  const cookies = cookiesOf(event)
  return {
    url: request.url,
    headers: pick(Object.keys(expected.headers ?? {}), (name) => headers.get(name.toLowerCase())),
    post: readPlaces(expected.post_data, contentFields(request.postData), null),
    content: readPlaces(expected.response_content, contentFields(response.content), undefined),
    cookies: pick(Object.keys(expected.response_cookies ?? {}), (name) => cookies[name]),
    status: response.status,
    method: request.method,
  }
}

function readPlaces(
  wanted: Fields | null | undefined,
  fields: Fields | null,
  absent: null | undefined,
): Fields | null {
  const keys = Object.keys(wanted ?? {})
  if (fields === null || keys.length === 0) return null
  return pick(keys, (key) =>
    isPathKey(key) ? readAtPath(fields, key) : Object.hasOwn(fields, key) ? fields[key] : absent,
  )
}

function pick(keys: readonly string[], read: (key: string) => unknown): Fields {
  const found = keys.map((key) => [key, read(key)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

function normalContent(check: EventCheck, given: EventContent, rules: NormalizeRules): Normal {
  const { headers, cookies, content, status, method } = given
  const isIgnored = isMatchedBy(check.ignored_post_data_params_patterns, '')
  const post =
    given.post && pick(Object.keys(given.post), (key) => (isIgnored(key) ? undefined : given.post?.[key]))
  return {
    url: orRaw(given.url, rules, () =>
      normalValue('url', given.url, { ...rules, ...addressRules(check, rules), query: given.query }),
    ),
    response_status: status,
    http_method: method,
    headers: filled(headers, (value, name) =>
      ['referer', 'redirect_url'].includes(name) && value !== ''
        ? normalValue('url', value, { ...rules, ...addressRules(check, rules) })
        : normalValue('string', rules.toPlaceholders(String(value)), rules),
    ),
    post_data:
      post === null || isBare(post) ? null : normalizeObject(post, check.post_data_schema ?? {}, rules),
    response_content: content === null || isBare(content) ? null : content,
    response_cookies: filled(cookies, (value) => normalValue('string', value, rules)),
  }
}

const isBare = (fields: Fields) => Object.keys(fields).length === 0

function filled(fields: Fields, read: (value: unknown, name: string) => Normal): Normal {
  if (isBare(fields)) return null
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, read(value, name)]))
}

function orRaw(value: unknown, { isStrict }: NormalizeRules, read: () => Normal): Normal {
  if (isStrict) return read()
  try {
    return read()
  } catch {
    return value
  }
}

function addressesOf(
  url: string | readonly string[],
  check: EventCheck,
  rules: NormalizeRules,
): SiteAddress[] {
  const given = typeof url === 'string' ? [url] : url
  return given.map((each) => readSiteAddress(each, { ...rules, ...addressRules(check, rules) }))
}

function addressRules(check: EventCheck, rules: NormalizeRules) {
  const schema = check.query_params_schema
  const isIgnored = isMatchedBy(check.ignored_query_params_patterns, 'i')
  return {
    fill: rules.fill ?? ((address: string) => address),
    decodesBase64: check.decode_base64_query,
    ignores: (name: string) => (check.ignored_query_params ?? []).includes(name) || isIgnored(name),
    ...(schema && {
      readQuery: (query: QueryValues) => normalizeObject(query, schema, rules) as QueryValues,
    }),
  }
}

function isMatchedBy(
  patterns: readonly string[] | null | undefined,
  flags: string,
): (name: string) => boolean {
  const known = (patterns ?? []).map((pattern) => readPythonPattern(pattern, flags))
  return (name) => known.some((pattern) => pattern?.test(name))
}
