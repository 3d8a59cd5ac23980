import type { BrowserContext, Route } from 'playwright-core'

/** What pages may reach: hosts with their ports, such as `shop.example:7770`. Empty: nothing but what the host itself answers. */
export type Sites = readonly string[]

/**
 * An address where nothing listens, and nothing is sent to another machine: port 9, discard, of this one. Whatever no route
 * answers goes there, over TCP, and fails.
 */
const deadProxy = 'socks5://127.0.0.1:9'

/**
 * The words by which Chromium's network itself reaches the sites alone: all else has a proxy that is not there, loopback and
 * link-local addresses too; names are not resolved; WebRTC sends nothing past the proxy; no QUIC, no prefetch.
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

/** Taken from pages: what opens connections of its own, past routes. Workers do not have the first; the network stops them all. */
const withoutConnections = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
  Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false })`

/** What the host itself answers, in place of a network; undefined: it does not know the address. */
export type AnswerPage = (address: URL) => { type: string; body: Buffer } | undefined

/**
 * Lets the pages of a context reach what `answer` has, and the sites, and nothing else: each request is looked at, sockets too.
 * Requests of a browser process that no page made are stopped by {@link sealingWords}.
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

/** A page that was closed meanwhile has no use for an answer. */
export function ignoreClosed(error: unknown): void {
  if (!/already handled|has been closed/.test(String(error))) throw error
}
