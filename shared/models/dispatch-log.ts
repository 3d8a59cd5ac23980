import { callIdHeader, type Fetch } from './openai-client.ts'

/**
 * Knows which calls were handed to `fetch`. A call that failed before that, say because no token could be had, cannot
 * have been paid for.
 */
export class DispatchLog {
  readonly #fetch: Fetch
  readonly #dispatched = new Set<string>()

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  readonly fetch: Fetch = (address, init) => {
    const headers = init?.headers
    const id = (headers instanceof Headers ? headers : new Headers(headers)).get(callIdHeader)
    if (id !== null) this.#dispatched.add(id)
    return this.#fetch(address, init)
  }

  /** Whether the call was handed over; forgets it. */
  take(id: string): boolean {
    return this.#dispatched.delete(id)
  }
}
