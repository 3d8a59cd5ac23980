import { ApiError } from '../shared/core/client/api-error.ts'
import { ConnectionError, reasonOf } from '../shared/core/client/connection-error.ts'
import { sendAgain } from '../shared/core/client/send-again.ts'
import {
  addQuery,
  type HttpMethod,
  type Transport,
  type TransportRequest,
} from '../shared/core/client/transport.ts'
import { outboundFetch } from '../shared/core/outbound/outbound-fetch.ts'
import { interrupted } from './command-error.ts'

export type Fetcher = (address: string, init: RequestInit) => Response | Promise<Response>

/** The caller's credentials. Sent to the service only, not to addresses in its answers. */
export interface Credentials {
  key: string
  tenant?: string
}

export function credentialHeaders(credentials: Credentials | undefined): Record<string, string> {
  if (credentials === undefined) return {}
  const { key, tenant } = credentials
  return { Authorization: `Bearer ${key}`, ...(tenant === undefined ? {} : { 'Espalier-Tenant': tenant }) }
}

const mostRedirects = 5

export function createTransport(needs: {
  address: string
  fetcher: Fetcher
  signal: AbortSignal
  credentials?: Credentials
}): Transport {
  const home = new URL(needs.address)
  let hasAnswered = false

  async function sendOnce(url: URL, init: RequestInit): Promise<Response> {
    // An app in this process ignores the signal.
    if (init.signal?.aborted) throw interrupted()
    const atHome = url.origin === home.origin
    try {
      if (!atHome) return await outboundFetch(url, init)
      return await needs.fetcher(url.href, {
        ...init,
        headers: { ...credentialHeaders(needs.credentials), ...(init.headers as Record<string, string>) },
      })
    } catch (error) {
      if (init.signal?.aborted) throw interrupted()
      if (error instanceof ConnectionError) throw error
      throw noAnswer(url.origin, error)
    }
  }

  async function sendSafely(url: URL, init: RequestInit): Promise<Response> {
    const repeatable = init.method === 'GET' || new Headers(init.headers).has('Idempotency-Key')
    const { signal } = init
    const response = await sendAgain(() => sendOnce(url, init), {
      isRepeatable: repeatable,
      hasAnswered,
      ...(signal && { signal }),
    })
    hasAnswered = true
    return response
  }

  async function send(method: HttpMethod, path: string, request: TransportRequest = {}): Promise<Response> {
    let url = new URL(path, home)
    addQuery(url, request.query)
    let init: RequestInit = {
      method,
      redirect: 'manual',
      headers: { ...request.headers },
      signal: request.signal ?? needs.signal,
    }
    if (request.body !== undefined) {
      init.body = JSON.stringify(request.body)
      init.headers = { ...request.headers, 'Content-Type': 'application/json' }
    }
    if (request.text !== undefined) {
      init.body = request.text
      init.headers = { ...request.headers, 'Content-Type': 'application/x-ndjson' }
    }
    if (request.bytes !== undefined) {
      init.body = request.bytes as Uint8Array<ArrayBuffer>
      init.headers = { ...request.headers, 'Content-Type': 'application/octet-stream' }
    }
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await sendSafely(url, init)
      const location = response.headers.get('Location')
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel()
        url = new URL(location, url)
        // The service understood the request. Fetch its answer with GET.
        if (response.status === 303)
          init = { ...init, method: 'GET', headers: { ...request.headers }, body: null }
        continue
      }
      if (!response.ok) throw await ApiError.from(response)
      return response
    }
    throw noAnswer(url.origin, new Error('too many redirects'))
  }

  return {
    address: needs.address,
    send,
    async json<Answer>(method: HttpMethod, path: string, request?: TransportRequest) {
      const response = await send(method, path, request)
      return (await response.json()) as Answer
    },
  }
}

function noAnswer(address: string, cause: unknown): ConnectionError {
  return new ConnectionError(
    `No service answers at ${address} (${reasonOf(cause)}). Start one with \`espalier serve\`, or leave out --service and ESPALIER_URL to use the data folder.`,
    { cause },
  )
}
