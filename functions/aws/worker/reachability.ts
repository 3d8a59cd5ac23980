import type { World } from '../../../shared/core/world/ports.ts'

const longestOutageMilliseconds = 120_000

export class Reachability {
  readonly #onLost: (error: Error) => void
  readonly #reachedAt = new Map<string, number>()

  /** @param onLost - called with the last failure, at each failure after the limit */
  constructor(onLost: (error: Error) => void) {
    this.#onLost = onLost
  }

  watch(world: World): World {
    const { ledger, queues } = world
    const { episodes } = queues
    return {
      ...world,
      ledger: {
        get: (key) => ledger.get(key),
        update: (change) => this.#try('table', () => ledger.update(change)),
        transact: (changes) => this.#try('table', () => ledger.transact(changes)),
        query: (partition, options) => ledger.query(partition, options),
      },
      queues: {
        ...queues,
        episodes: {
          send: (messages) => episodes.send(messages),
          receive: (options) => this.#try('queue', () => episodes.receive(options)),
          delete: (receipt) => episodes.delete(receipt),
          extend: (receipt, visibility) => episodes.extend(receipt, visibility),
          dead_letters: episodes.dead_letters,
        },
      },
    }
  }

  async #try<Result>(what: string, action: () => Promise<Result>): Promise<Result> {
    try {
      const result = await action()
      this.#reachedAt.set(what, performance.now())
      return result
    } catch (error) {
      // A service never reached does not exist or denies access. Each call has already been retried several times.
      const reachedAt = this.#reachedAt.get(what) ?? Number.NEGATIVE_INFINITY
      const isLost = performance.now() - reachedAt > longestOutageMilliseconds
      if (isLost && error instanceof Error) this.#onLost(error)
      throw error
    }
  }
}
