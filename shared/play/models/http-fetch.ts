import type { LookupFunction } from 'node:net'
import { request } from 'undici'
import { OutboundRoutes } from '../../core/outbound/outbound-routes.ts'
import { type AnswerBounds, readAnswerBody } from './answer-body.ts'
import type { Fetch } from './openai-client.ts'

const bodiless = new Set([204, 205, 304])

/**
 * The subset of `Response` that the `openai` package reads of an answer without streaming. A real `Response` wraps
 * the text in a stream and reads it back.
 */
class WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly url = ''
  readonly body = null
  readonly #text: string

  constructor(status: number, headers: Record<string, string | string[] | undefined>, text: string) {
    this.status = status
    this.#text = text
    this.headers = new Headers()
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value ?? []].flat()) this.headers.append(name, one)
    }
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  async text(): Promise<string> {
    return this.#text
  }

  async json(): Promise<unknown> {
    return JSON.parse(this.#text)
  }
}

export interface HttpFetch {
  fetch: Fetch
  close(): Promise<void>
}

export interface HttpFetchOptions extends AnswerBounds {
  /** Milliseconds until an answer's headers. The `signal` of the caller bounds the whole call. */
  timeout: number
  /** `public`: refuses names that resolve to an internal address. @default 'any' */
  network?: 'any' | 'public'
  lookup?: LookupFunction
}

/**
 * A `fetch` for calls without streaming. It waits as long as the endpoint's timeout says, but Node's own stops after
 * five minutes. It uses a third less processor time a call. It never holds a body beyond its bounds.
 */
export function createHttpFetch({
  timeout,
  network = 'any',
  lookup,
  ...bounds
}: HttpFetchOptions): HttpFetch {
  const agent = { headersTimeout: timeout + 1000, bodyTimeout: timeout + 1000, connections: null }
  const routes = new OutboundRoutes({ network, agent, ...(lookup && { lookup }) })
  return {
    async fetch(address, { body, headers, method, signal } = {}) {
      if (typeof body !== 'string' && body !== undefined && body !== null) {
        throw new TypeError('A model call has a text as its body.')
      }
      const { url, dispatcher, host } = await routes.of(address instanceof Request ? address.url : address)
      const sent = Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers))
      const answer = await request(url, {
        dispatcher,
        method: method ?? 'GET',
        headers: host === null ? sent : { ...sent, host },
        body: body ?? null,
        signal: signal ?? null,
      })
      const { statusCode: status } = answer
      const text = await readAnswerBody(answer, bounds)
      return new WholeResponse(
        status,
        answer.headers,
        bodiless.has(status) ? '' : text,
      ) as unknown as Response
    },
    close: () => routes.close(),
  }
}
