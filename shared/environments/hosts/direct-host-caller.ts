import { BlockList, isIPv4 } from 'node:net'
import {
  type HostAnswer,
  type HostCall,
  type HostCaller,
  longestHostCall,
} from '../../core/contracts/host-call.ts'
import { patientHostFetch } from '../../core/outbound/outbound-fetch.ts'
import type { World } from '../../core/world/ports.ts'
import { HostRegistry } from './host-registry.ts'
import { callFailure, sendHostCall } from './send-host-call.ts'

type HostNetwork = 'private' | 'this-machine'

const networks: Record<HostNetwork, BlockList> = { private: new BlockList(), 'this-machine': new BlockList() }
networks.private.addSubnet('10.0.0.0', 8)
networks.private.addSubnet('172.16.0.0', 12)
networks.private.addSubnet('192.168.0.0', 16)
networks['this-machine'].addSubnet('127.0.0.0', 8)

const keptFor = 10_000
const mostKept = 1000

interface Place {
  origin: string
  accessKey?: string
}

export interface DirectHostCallerOptions {
  world: Pick<World, 'ledger' | 'clock'>
  network: HostNetwork
  /** Milliseconds until a call is given up. @default 30 000 */
  timeout?: number
}

export class DirectHostCaller implements HostCaller {
  readonly #registry: HostRegistry
  readonly #clock: World['clock']
  readonly #network: HostNetwork
  readonly #timeout: number
  readonly #kept = new Map<string, { place: Place; until: number }>()

  constructor({ world, network, timeout = 30_000 }: DirectHostCallerOptions) {
    this.#registry = new HostRegistry(world.ledger)
    this.#clock = world.clock
    this.#network = network
    this.#timeout = timeout
  }

  async call(call: HostCall, signal?: AbortSignal, within = 0): Promise<HostAnswer> {
    const place = await this.#placeOf(call.host)
    if (place === null) {
      return callFailure('unknown_host', `There is no host ${call.host} that can be called. Choose another.`)
    }
    const timeout = Math.max(this.#timeout, within)
    const patient = timeout > longestHostCall && { fetch: patientHostFetch }
    const answer = await sendHostCall(call, { ...place, timeout, ...patient, ...(signal && { signal }) })
    if (answer.status >= 502) this.#kept.delete(call.host)
    return answer
  }

  async #placeOf(host: string): Promise<Place | null> {
    const now = this.#clock.now()
    const kept = this.#kept.get(host)
    // If the clock was set back, the time until then means nothing.
    if (kept !== undefined && kept.until > now && kept.until <= now + keptFor) return kept.place
    const row = await this.#registry.get(host)
    const origin = row?.address ? hostOrigin(row.address, this.#network) : null
    if (origin === null) return null
    const place = { origin, ...(row?.access_key !== undefined && { accessKey: row.access_key }) }
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(host, { place, until: now + keptFor })
    return place
  }
}

/**
 * The origin of a host's address if hosts may be there: `http`, an IPv4 address of the network, a port, and no more.
 * Addresses come from the registry; the check holds even if an attacker can write to it.
 */
function hostOrigin(address: string, network: HostNetwork): string | null {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'http:' || url.port === '') return null
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.pathname !== '/') return null
  return isIPv4(url.hostname) && networks[network].check(url.hostname) ? url.origin : null
}
