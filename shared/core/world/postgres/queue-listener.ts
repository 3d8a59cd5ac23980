import type { Client } from 'pg'
import { systemClock } from '../system-clock.ts'
import type { PostgresConnections } from './postgres-connections.ts'

/**
 * Follows the notifications of all queues over a connection of its own. After a lost connection it connects again and
 * rings for every queue, since notifications may have passed meanwhile.
 */
export class QueueListener {
  readonly #connections: PostgresConnections
  readonly #onRing: (queue: string | null) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null

  /** @param onRing called with the queue of a notification, or null after each connection */
  constructor(connections: PostgresConnections, onRing: (queue: string | null) => void) {
    this.#connections = connections
    this.#onRing = onRing
  }

  start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#running = this.#follow(first.resolve).finally(first.resolve)
    return first.promise
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #follow(onListening: () => void): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; ) {
      const client = this.#connections.connect()
      const lost = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      try {
        await this.#listen(client)
        failures = 0
        onListening()
        this.#onRing(null)
        await lost
      } catch {
        // The queues look by themselves meanwhile.
        failures += 1
        const pause = Math.min(2000, 50 * 2 ** failures) * (0.5 + Math.random())
        await systemClock.sleep(pause, signal).catch(() => undefined)
      } finally {
        await client.end().catch(() => undefined)
      }
    }
  }

  async #listen(client: Client): Promise<void> {
    client.on('notification', ({ payload = '' }) => this.#onRing(payload))
    await client.connect()
    await client.query(`listen "espalier_${this.#connections.schema}"`)
  }
}
