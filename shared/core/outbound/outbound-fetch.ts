import type { OutboundOptions } from './outbound-routes.ts'

export type OutboundFetch = (address: string | URL, init?: RequestInit) => Promise<Response>

export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  const open = async () => {
    const [{ fetch: send }, { OutboundRoutes }] = await Promise.all([
      import('undici'),
      import('./outbound-routes.ts'),
    ])
    return { send, routes: new OutboundRoutes(options) }
  }
  let opening: ReturnType<typeof open> | undefined
  return async (address, init = {}) => {
    const { environment = process.env, network = 'any' } = options
    const hasProxy = Object.keys(environment).some((name) => /^https?_proxy$/i.test(name))
    if (network === 'any' && !hasProxy) return fetch(address, init)
    opening ??= open()
    const { send, routes } = await opening
    const { url, dispatcher, host } = await routes.of(address)
    const headers = new Headers(init.headers)
    if (host !== null) headers.set('host', host)
    const body = encode(init.body, headers)
    const sent = { ...init, ...body, headers: Object.fromEntries(headers), dispatcher }
    return (await send(url, sent as Parameters<typeof send>[1])) as unknown as Response
  }
}

/** Encodes a form as a stream: the package's `fetch` accepts only forms of its own class. */
function encode(
  body: RequestInit['body'],
  headers: Headers,
): { body?: RequestInit['body']; duplex?: 'half' } {
  if (!(body instanceof FormData)) return body === undefined ? {} : { body }
  const encoded = new Response(body)
  headers.set('content-type', encoded.headers.get('content-type') ?? 'multipart/form-data')
  return { body: encoded.body, duplex: 'half' }
}

export const outboundFetch = createOutboundFetch({})

export const registeredFetch = createOutboundFetch({ network: 'registered' })

// undici, and with it Node's own `fetch`, ends a request without an answer after 300 seconds. Callers of these set a
// limit of their own.
const agent = { headersTimeout: 0, bodyTimeout: 0 }
export const patientFetch = createOutboundFetch({ network: 'registered', agent })
export const patientHostFetch = createOutboundFetch({ network: 'registered', environment: {}, agent })
