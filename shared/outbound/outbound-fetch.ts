import type { OutboundOptions } from './outbound-routes.ts'

/** `fetch` by the routes of {@link OutboundRoutes}. */
export type OutboundFetch = (address: string | URL, init?: RequestInit) => Promise<Response>

/** Makes a `fetch` that heeds the proxy of the environment and the guard of a network. What it needs is read by its first call. */
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

/** A form as a stream: the package's `fetch` knows forms of its own class alone. */
function encode(
  body: RequestInit['body'],
  headers: Headers,
): { body?: RequestInit['body']; duplex?: 'half' } {
  if (!(body instanceof FormData)) return body === undefined ? {} : { body }
  const encoded = new Response(body)
  headers.set('content-type', encoded.headers.get('content-type') ?? 'multipart/form-data')
  return { body: encoded.body, duplex: 'half' }
}

/** Asks any address. */
export const outboundFetch = createOutboundFetch({})

/** Asks servers that an administrator registered. */
export const registeredFetch = createOutboundFetch({ network: 'registered' })
