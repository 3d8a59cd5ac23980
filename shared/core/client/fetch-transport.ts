import { ApiError } from './api-error.ts'
import { ConnectionError, reasonOf } from './connection-error.ts'
import { sendAgain } from './send-again.ts'
import { addQuery, type HttpMethod, type Transport, type TransportRequest } from './transport.ts'

export interface ServiceAddress {
  address: string
  /** An API key. Sent to the service only, not to the signed addresses in its answers. */
  key?: string
  /** Sends a request. @default the global `fetch` */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  signal?: AbortSignal
}

/**
 * Sends requests over `fetch`, in Node and in browsers, which follows redirects itself. It retries a broken request
 * if that is safe: one that only reads, or has an `Idempotency-Key`.
 * @throws TypeError for an invalid address
 */
export function createFetchTransport(service: ServiceAddress): Transport {
  const home = new URL(service.address)
  let hasAnswered = false
  const fetcher = service.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  async function send(method: HttpMethod, path: string, request: TransportRequest = {}): Promise<Response> {
    const url = new URL(path, home)
    addQuery(url, request.query)
    const init = toInit(method, request, url.origin === home.origin ? service.key : undefined)
    const signals = [service.signal, request.signal].filter((signal) => signal !== undefined)
    if (signals.length > 0) init.signal = AbortSignal.any(signals)
    const isRepeatable = method === 'GET' || new Headers(init.headers).has('Idempotency-Key')
    const { signal } = init
    try {
      const response = await sendAgain(() => fetcher(url.href, init), {
        isRepeatable,
        hasAnswered,
        ...(signal && { signal }),
      })
      hasAnswered = true
      if (!response.ok) throw await ApiError.from(response)
      return response
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error
      throw noAnswer(url, error)
    }
  }

  return {
    address: home.href,
    send,
    async json<Answer>(method: HttpMethod, path: string, request?: TransportRequest) {
      const response = await send(method, path, request)
      return (await response.json()) as Answer
    },
  }
}

function toInit(
  method: HttpMethod,
  { body, bytes, text, headers }: TransportRequest,
  key?: string,
): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(text !== undefined && { 'Content-Type': 'application/x-ndjson' }),
      ...(bytes !== undefined && { 'Content-Type': 'application/octet-stream' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text !== undefined && { body: text }),
    ...(bytes !== undefined && { body: bytes as Uint8Array<ArrayBuffer> }),
  }
}

function noAnswer({ origin }: URL, cause: unknown): ConnectionError {
  return new ConnectionError(`No service answers at ${origin} (${reasonOf(cause)}).`, { cause })
}
