import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { bareHost, checkLiteral, isRefusedIn, type Network } from './check-literal.ts'
import { createSteadyLookup, internalAddressError, lookupPublic } from './guarded-lookup.ts'
import { isInternalHost } from './internal-address.ts'
import { proxyFor } from './proxy-settings.ts'

const mostProxied = 64

export interface OutboundOptions {
  network?: Network
  lookup?: LookupFunction
  environment?: Readonly<Record<string, string | undefined>>
  agent?: Agent.Options
}

export interface OutboundRoute {
  url: URL
  dispatcher: Dispatcher
  /** The `Host` header, if the URL has a checked address in place of the name. */
  host: string | null
}

export class OutboundRoutes {
  readonly #options: OutboundOptions
  readonly #lookup: LookupFunction | null
  readonly #direct: Agent
  readonly #proxied = new Map<string, ProxyAgent>()

  constructor(options: OutboundOptions = {}) {
    this.#options = options
    this.#lookup = options.lookup ?? lookupOf(options.network ?? 'any')
    this.#direct = new Agent({
      ...options.agent,
      ...(this.#lookup !== null && { connect: guardedConnect(this.#lookup, options.network ?? 'any') }),
    })
  }

  /** @throws Error with the code `ERR_INTERNAL_ADDRESS` if the address is not allowed */
  async of(address: string | URL): Promise<OutboundRoute> {
    const url = new URL(address)
    const { environment = process.env, network = 'any' } = this.#options
    if (network === 'public' && isInternalHost(url.hostname)) throw internalAddressError(url.hostname)
    checkLiteral(url, network)
    const proxy = proxyFor(url, environment)
    if (proxy === null) return { url, dispatcher: this.#direct, host: null }
    if (network !== 'public') return { url, dispatcher: this.#through(proxy, null), host: null }
    // A lookup by the proxy could return another address.
    const { hostname, host } = url
    url.hostname = await this.#checkedAddress(hostname)
    return { url, dispatcher: this.#through(proxy, hostname), host }
  }

  async close(): Promise<void> {
    await Promise.all([this.#direct, ...this.#proxied.values()].map((agent) => agent.destroy()))
  }

  #through(proxy: URL, servername: string | null): ProxyAgent {
    const name = `${proxy.href} ${servername ?? ''}`
    const known = this.#proxied.get(name)
    if (known !== undefined) return known
    const [oldest] = this.#proxied.size < mostProxied ? [] : this.#proxied
    if (oldest !== undefined) {
      this.#proxied.delete(oldest[0])
      void oldest[1].close()
    }
    const agent = new ProxyAgent({
      ...this.#options.agent,
      uri: proxy.href,
      ...(servername !== null && { requestTls: { servername: bareHost(servername) } }),
    })
    this.#proxied.set(name, agent)
    return agent
  }

  async #checkedAddress(hostname: string): Promise<string> {
    if (isIP(bareHost(hostname)) !== 0) return hostname
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const lookup = this.#lookup ?? lookupPublic
    lookup(hostname, { all: false }, (error, address, family) => {
      if (error !== null) reject(error)
      else resolve(family === 6 ? `[${address}]` : String(address))
    })
    return promise
  }
}

function guardedConnect(lookup: LookupFunction, network: Network): buildConnector.connector {
  const connect = buildConnector({ lookup })
  const isRefused = isRefusedIn(network)
  return (options, callback) => {
    const host = bareHost(options.hostname)
    if (isIP(host) !== 0 && isRefused(host)) return callback(internalAddressError(host), null)
    return connect(options, callback)
  }
}

function lookupOf(network: Network): LookupFunction | null {
  if (network === 'public') return lookupPublic
  return network === 'registered' ? createSteadyLookup() : null
}
