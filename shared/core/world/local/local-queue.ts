import type { Json } from '../../contracts/json.ts'
import { checkKey } from '../check-key.ts'
import { messageText } from '../message-text.ts'
import type { IncomingMessage, OutgoingMessage, Queue } from '../ports.ts'
import { QueueBell } from '../queue-bell.ts'
import { worldClosed } from '../world-closed.ts'
import type { Database } from './database.ts'
import type { MessageRow, QueueRows } from './queue-rows.ts'

const maxReceives = 5

/** Milliseconds between polls of a queue shared with other processes, in case a crash lost a wake-up. */
const lookEvery = 1000

type ReceiveOptions = Parameters<Queue['receive']>[0]

export interface LocalQueueParts {
  database: Database
  rows: QueueRows
  onRing?: () => void
}

export class LocalQueue implements Queue {
  readonly dead_letters: LocalQueue
  readonly #database: Database
  readonly #rows: QueueRows
  readonly #name: string
  readonly #grave: { queue: string; max: number } | null
  readonly #onRing: (() => void) | null
  readonly #bell = new QueueBell()
  #closed = false

  private constructor(parts: LocalQueueParts, name: string, deadLetters: LocalQueue | null) {
    this.#database = parts.database
    this.#rows = parts.rows
    this.#onRing = parts.onRing ?? null
    this.#name = name
    this.#grave = deadLetters && { queue: deadLetters.#name, max: maxReceives }
    this.dead_letters = deadLetters ?? this
  }

  static open(parts: LocalQueueParts, name: string): LocalQueue {
    return new LocalQueue(parts, name, new LocalQueue(parts, `${name}/dead`, null))
  }

  ring(): void {
    this.#bell.ring()
  }

  hasReady(): boolean {
    return this.#database.read(() => this.#rows.hasReady(this.#name, Date.now()))
  }

  async send(messages: OutgoingMessage[]): Promise<void> {
    const texts = messages.map(({ body, group, delay = 0 }) => {
      checkKey('the group of a message', group, 128)
      return { text: messageText(body), group, delay }
    })
    await this.#database.write(() => {
      const now = Date.now()
      for (const { text, group, delay } of texts) {
        this.#rows.send(this.#name, group, text, { now, delay: delay * 1000 })
      }
    })
    this.#ringAll()
  }

  async receive({ max, wait, visibility, signal, groups }: ReceiveOptions): Promise<IncomingMessage[]> {
    if (this.#closed) throw worldClosed()
    const deadline = performance.now() + wait * 1000
    for (;;) {
      if (this.#closed || signal?.aborted) return []
      const rings = this.#bell.rings
      if (this.#rows.isSetBack(Date.now())) await this.#database.write(() => this.#rows.rebase(Date.now()))
      // The check itself needs no write turn.
      const messages = this.hasReady() ? await this.#take(max, visibility, (await groups?.()) ?? null) : []
      const left = deadline - performance.now()
      if (messages.length > 0 || left <= 0 || this.#closed) return messages
      const due = this.#database.read(() => this.#rows.due(this.#name)) ?? Number.POSITIVE_INFINITY
      const look = this.#onRing === null ? Number.POSITIVE_INFINITY : lookEvery * (0.5 + Math.random())
      await this.#bell.wait(rings, Math.min(left, due - Date.now(), look), signal)
    }
  }

  async delete(receipt: string): Promise<void> {
    const { id, receives } = parseReceipt(receipt)
    await this.#database.write(() => this.#rows.delete(id, this.#name, receives, Date.now()))
  }

  async extend(receipt: string, visibility: number): Promise<void> {
    const { id, receives } = parseReceipt(receipt)
    await this.#database.write(() => {
      const now = Date.now()
      this.#rows.extend(id, this.#name, receives, now, now + visibility * 1000)
    })
    this.#ringAll()
  }

  close(): void {
    this.#closed = true
    this.#bell.ring()
    if (this.dead_letters !== this) this.dead_letters.close()
  }

  #ringAll(): void {
    this.#bell.ring()
    this.#onRing?.()
  }

  async #take(max: number, visibility: number, groups: readonly string[] | null): Promise<IncomingMessage[]> {
    const { messages, buried } = await this.#database.write(() => {
      const now = Date.now()
      const wanted = groups && new Set(groups)
      return this.#rows.take(this.#name, this.#grave, { max, now, until: now + visibility * 1000, wanted })
    })
    if (buried > 0) this.dead_letters.#bell.ring()
    // Other waiting receivers must learn when these return.
    if (messages.length > 0) this.#bell.ring()
    return messages.map(incoming)
  }
}

function incoming({ id, group_name, body, receives }: MessageRow): IncomingMessage {
  return {
    id: String(id),
    body: JSON.parse(body) as Json,
    group: group_name,
    receipt: `${id}.${receives}`,
    receives,
  }
}

function parseReceipt(receipt: string): { id: number; receives: number } {
  const [id, receives] = receipt.split('.').map(Number)
  return { id: id ?? Number.NaN, receives: receives ?? Number.NaN }
}
