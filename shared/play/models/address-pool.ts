const leftOutFor = 10_000
/** Prompts whose address is known. The one asked longest ago is forgotten first. */
const mostHomes = 10_000

interface Address<Client> {
  readonly client: Client
  inFlight: number
  leftOutUntil: number
}

export interface LentClient<Client> {
  readonly client: Client
  /**
   * Returns it. `unreachable`: it refused the connection, and is excluded for ten seconds. `failing`: it gave no answer,
   * and prompts of this affinity go elsewhere.
   */
  release(outcome: 'reached' | 'failing' | 'unreachable'): void
}

/**
 * Several addresses of one endpoint, such as one vLLM server per GPU. A call goes to the address with the fewest
 * calls in flight, in turn among equals. If all are excluded, the one excluded longest is tried again.
 *
 * Calls of one affinity share the beginnings of their prompts. They stay at the address of the first of them, whose
 * cache holds these, until it fails.
 */
export class AddressPool<Client> {
  readonly #addresses: Address<Client>[]
  readonly #now: () => number
  readonly #homes = new Map<string, Address<Client>>()
  #next = 0

  constructor(clients: readonly Client[], now: () => number = () => performance.now()) {
    if (clients.length === 0) throw new RangeError('An address pool needs at least one client.')
    this.#addresses = clients.map((client) => ({
      client,
      inFlight: 0,
      leftOutUntil: Number.NEGATIVE_INFINITY,
    }))
    this.#now = now
  }

  get reachable(): boolean {
    const now = this.#now()
    return this.#addresses.some((address) => address.leftOutUntil <= now)
  }

  lend(affinity?: string): LentClient<Client> {
    const address = affinity === undefined ? this.#choose() : this.#homeOf(affinity)
    address.inFlight++
    return {
      client: address.client,
      release: (outcome) => {
        address.inFlight--
        address.leftOutUntil = outcome === 'unreachable' ? this.#now() + leftOutFor : Number.NEGATIVE_INFINITY
        const isHome = affinity !== undefined && this.#homes.get(affinity) === address
        if (isHome && outcome === 'failing') this.#settle(affinity, this.#choose(address))
      },
    }
  }

  #homeOf(affinity: string): Address<Client> {
    const known = this.#homes.get(affinity)
    const isKept = known !== undefined && known.leftOutUntil <= this.#now()
    return this.#settle(affinity, isKept ? known : this.#choose())
  }

  #settle(affinity: string, address: Address<Client>): Address<Client> {
    this.#homes.delete(affinity)
    this.#homes.set(affinity, address)
    if (this.#homes.size > mostHomes) this.#homes.delete(this.#homes.keys().next().value ?? '')
    return address
  }

  #choose(except?: Address<Client>): Address<Client> {
    const now = this.#now()
    const count = this.#addresses.length
    let chosen: Address<Client> | undefined
    let position = 0
    for (let offset = 0; offset < count; offset++) {
      const index = (this.#next + offset) % count
      const address = this.#addresses[index]
      if (address === except && count > 1) continue
      if (address !== undefined && (chosen === undefined || isBetter(address, chosen, now))) {
        chosen = address
        position = index
      }
    }
    if (chosen === undefined) throw new Error('unreachable: the pool is never empty')
    this.#next = (position + 1) % count
    return chosen
  }
}

function isBetter(left: Address<unknown>, right: Address<unknown>, now: number): boolean {
  const leftOut = Math.max(left.leftOutUntil, now)
  const rightOut = Math.max(right.leftOutUntil, now)
  return leftOut === rightOut ? left.inFlight < right.inFlight : leftOut < rightOut
}
