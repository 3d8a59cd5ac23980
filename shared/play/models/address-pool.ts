const leftOutFor = 10_000

interface Address<Client> {
  readonly client: Client
  inFlight: number
  leftOutUntil: number
}

export interface LentClient<Client> {
  readonly client: Client
  /** Returns it. `unreachable`: it refused the connection, and is excluded for ten seconds. */
  release(outcome: 'reached' | 'unreachable'): void
}

/**
 * Several addresses of one endpoint, such as one vLLM server per GPU. A call goes to the address with the fewest
 * calls in flight, in turn among equals. If all are excluded, the one excluded longest is tried again.
 */
export class AddressPool<Client> {
  readonly #addresses: Address<Client>[]
  readonly #now: () => number
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

  lend(): LentClient<Client> {
    const address = this.#choose()
    address.inFlight++
    return {
      client: address.client,
      release: (outcome) => {
        address.inFlight--
        address.leftOutUntil = outcome === 'unreachable' ? this.#now() + leftOutFor : Number.NEGATIVE_INFINITY
      },
    }
  }

  #choose(): Address<Client> {
    const now = this.#now()
    const count = this.#addresses.length
    let chosen: Address<Client> | undefined
    let position = 0
    for (let offset = 0; offset < count; offset++) {
      const index = (this.#next + offset) % count
      const address = this.#addresses[index]
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
