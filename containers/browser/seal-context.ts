import type { BrowserContext, Route } from 'playwright-core'

/**
 * Hosts with ports that pages may reach, for example `shop.example:7770`. Empty: only addresses that the host itself
 * answers.
 */
export type Sites = readonly string[]

/**
 * A proxy address without a listener, on this machine: port 9, discard. Requests that no route answers go there over
 * TCP and fail.
 */
const deadProxy = 'socks5://127.0.0.1:9'

/**
 * Chromium flags that limit its network to the sites. Everything else, including loopback and link-local addresses,
 * goes to a dead proxy. Names are not resolved, WebRTC cannot bypass the proxy, and QUIC and prefetching are off.
 */
export function sealingWords(sites: Sites): string[] {
  const names = sites.map((site) => site.replace(/:\d+$/, ''))
  const excluded = [...new Set(names)].map((name) => `, EXCLUDE ${name}`).join('')
  return [
    `--proxy-server=${deadProxy}`,
    `--proxy-bypass-list=${['<-loopback>', ...sites].join(';')}`,
    `--host-resolver-rules=MAP * ~NOTFOUND${excluded}, EXCLUDE 127.0.0.1`,
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--no-pings',
  ]
}

/**
 * Removed from pages, because they open connections that bypass routes. Workers never have the first, and the network
 * blocks all of them.
 */
const withoutConnections = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
  Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false })`

export type AnswerPage = (address: URL) => { type: string; body: Buffer } | undefined

/**
 * Lets the pages of a context reach only `answer`'s addresses and the sites. It checks each request, including
 * sockets. {@link sealingWords} block the browser's own requests.
 */
export async function sealContext(
  context: BrowserContext,
  sites: Sites,
  answer: AnswerPage = () => undefined,
): Promise<void> {
  const isSite = (address: URL) => sites.includes(address.host)
  await context.addInitScript(withoutConnections)
  const answerRequest = async (route: Route): Promise<void> => {
    const address = new URL(route.request().url())
    const found = answer(address)
    if (found !== undefined) {
      await route.fulfill({ status: 200, contentType: found.type, body: found.body })
    } else if (address.protocol === 'data:' || address.protocol === 'blob:' || isSite(address)) {
      await route.continue()
    } else {
      await route.abort('blockedbyclient')
    }
  }
  await context.route('**/*', (route) => answerRequest(route).catch(ignoreClosed))
  await context.routeWebSocket(
    () => true,
    async (socket) => {
      const address = new URL(socket.url())
      if (isSite(address)) socket.connectToServer()
      else await socket.close({ code: 1008, reason: 'This address is not one of the sites.' })
    },
  )
}

export function ignoreClosed(error: unknown): void {
  if (!/already handled|has been closed/.test(String(error))) throw error
}
