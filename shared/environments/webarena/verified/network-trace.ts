import { z } from 'zod'
import { readParameters } from './site-address.ts'

const named = z.object({ name: z.string(), value: z.string().default('') })
const content = z.looseObject({ mimeType: z.string().default(''), text: z.string().optional() })

// A request with its answer, as HTTP Archives (HAR 1.2) have it.
export const networkEventSchema = z.looseObject({
  request: z.looseObject({
    method: z.string(),
    url: z.string().min(1),
    headers: z.array(named),
    postData: content.optional(),
  }),
  response: z.looseObject({
    status: z.int(),
    cookies: z.array(named).default([]),
    content: content.optional(),
  }),
})

export type NetworkEvent = z.infer<typeof networkEventSchema>

const asset = /\.(?:css|js|png|jpe?g|gif|svg|woff2?|ttf|ico|webp)$/

export function isScored({ request }: NetworkEvent): boolean {
  const path = /^(?:[^:/?#]+:)?(?:\/\/[^/?#]*)?([^?#]*)/.exec(request.url)?.[1] ?? ''
  return !asset.test(path.replace(/;[^/]*$/, ''))
}

export function headersOf({ request }: NetworkEvent): Map<string, string> {
  return new Map(request.headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

export function isNavigation(event: NetworkEvent): boolean {
  if (event.request.method !== 'GET') return false
  const headers = headersOf(event)
  const is = (name: string) => headers.get(name)?.toLowerCase()
  const accepted = is('accept') ?? ''
  if (!headers.has('sec-fetch-user')) return accepted.startsWith('text/html')
  return (
    is('sec-fetch-dest') === 'document' &&
    is('sec-fetch-mode') === 'navigate' &&
    is('sec-fetch-user') === '?1' &&
    accepted.includes('text/html')
  )
}

export function contentFields(
  sent: z.infer<typeof content> | undefined,
): Readonly<Record<string, unknown>> | null {
  const { mimeType = '', text = '' } = sent ?? {}
  if (text === '') return null
  if (mimeType.includes('application/x-www-form-urlencoded'))
    return Object.fromEntries(Array.from(readParameters(text), ([name, [first = '']]) => [name, first]))
  if (mimeType.includes('application/json')) return readObject(text)
  const [, boundary] = /boundary=([^;\s]+)/.exec(mimeType) ?? []
  return mimeType.includes('multipart/form-data') && boundary !== undefined
    ? readMultipart(text, boundary)
    : null
}

export function cookiesOf({ response }: NetworkEvent): Record<string, string> {
  return Object.fromEntries(response.cookies.map(({ name, value }) => [name, decodePercent(value)]))
}

function decodePercent(value: string): string {
  return value.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function readMultipart(text: string, boundary: string): Record<string, string> {
  const fields = text.split(`--${boundary}`).flatMap((part) => {
    const [head = '', ...rest] = part.trim().split(/\r?\n\r?\n/)
    const [, name] = /^content-disposition:.*?name="([^"]+)"/im.exec(head) ?? []
    return name === undefined
      ? []
      : [
          [
            name,
            part
              .trim()
              .slice(part.trim().indexOf(rest[0] ?? '', head.length))
              .replace(/[\r\n]+$/, ''),
          ] as const,
        ]
  })
  return Object.fromEntries(fields)
}
