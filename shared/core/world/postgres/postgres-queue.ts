import { randomUUID } from 'node:crypto'
import type { Json } from '../../contracts/json.ts'
import { checkKey } from '../check-key.ts'
import { messageText } from '../message-text.ts'
import type { IncomingMessage, OutgoingMessage, Queue } from '../ports.ts'
import { QueueBell } from '../queue-bell.ts'
import { worldClosed } from '../world-closed.ts'
import type { OneConnection, PostgresConnections } from './postgres-connections.ts'

const maxReceives = 5

/** Milliseconds between looks at a silent queue, in case a notification was lost. */
const lookEvery = 5000

type ReceiveOptions = Parameters<Queue['receive']>[0]

interface MessageRow {
  id: string
  group_name: string
  body: string
  receives: number
}

/**
 * A queue as rows of a table. Receivers skip rows that others lock, so none waits for another; see `schema-v1.ts` for
 * the choice of groups. Taking, hiding and deleting do not wait for the disk: a crash of the server may deliver a
 * message twice, and loses none.
 */
export class PostgresQueue implements Queue {
  readonly dead_letters: PostgresQueue
  readonly #connections: PostgresConnections
  readonly #name: string
  readonly #bell = new QueueBell()
  #closed = false

  private constructor(connections: PostgresConnections, name: string, deadLetters: PostgresQueue | null) {
    this.#connections = connections
    this.#name = name
    this.dead_letters = deadLetters ?? this
  }

  static open(connections: PostgresConnections, name: string): PostgresQueue {
    return new PostgresQueue(connections, name, new PostgresQueue(connections, `${name}/dead`, null))
  }

  /** @param queue the queue of a notification; all, if null */
  ring(queue: string | null = null): void {
    if (queue === null || queue === this.#name) this.#bell.ring()
    if (this.dead_letters !== this) this.dead_letters.ring(queue)
  }

  async send(messages: OutgoingMessage[]): Promise<void> {
    const rows = messages.map(({ body, group, delay = 0 }) => {
      checkKey('the group of a message', group, 128)
      return { group, body: messageText(body), delay }
    })
    if (rows.length === 0) return
    await this.#run('send messages', (query) =>
      query.query('select send_messages($1, $2, $3, $4)', [
        this.#name,
        rows.map(({ group }) => group),
        rows.map(({ body }) => body),
        rows.map(({ delay }) => delay),
      ]),
    )
  }

  async receive({ max, wait, visibility, signal }: ReceiveOptions): Promise<IncomingMessage[]> {
    if (this.#closed) throw worldClosed()
    const deadline = performance.now() + wait * 1000
    for (;;) {
      if (this.#closed || signal?.aborted) return []
      const rings = this.#bell.rings
      const messages = await this.#take(max, visibility)
      if (messages.length > 0 || performance.now() >= deadline || this.#closed) return messages
      const due = await this.#due()
      const look = lookEvery * (0.5 + Math.random())
      await this.#bell.wait(rings, Math.min(deadline - performance.now(), due, look), signal)
    }
  }

  async delete(receipt: string): Promise<void> {
    const { id, receives } = parseReceipt(receipt)
    await this.#run('delete a message', (query) =>
      query.query('select drop_message($1, $2, $3)', [this.#name, id, receives]),
    )
  }

  async extend(receipt: string, visibility: number): Promise<void> {
    const { id, receives } = parseReceipt(receipt)
    await this.#run('hide a message', (query) =>
      query.query('select hide_message($1, $2, $3, $4)', [this.#name, id, receives, visibility]),
    )
  }

  close(): void {
    this.#closed = true
    this.#bell.ring()
    if (this.dead_letters !== this) this.dead_letters.close()
  }

  async #take(max: number, visibility: number): Promise<IncomingMessage[]> {
    const taker = randomUUID()
    const isGrave = this.dead_letters === this
    const { rows } = await this.#run('take messages', async (query, tries) => {
      // The answer of an earlier try was lost, and with it the messages that it hid.
      if (tries > 1) await giveBack(query, this.#name, taker)
      return query.query<MessageRow>('select * from take_messages($1, $2, $3, $4, $5, $6)', [
        this.#name,
        isGrave ? null : this.dead_letters.#name,
        maxReceives,
        max,
        visibility,
        taker,
      ])
    })
    return rows.map(({ id, group_name, body, receives }) => ({
      id,
      body: JSON.parse(body) as Json,
      group: group_name,
      receipt: `${id}.${receives}`,
      receives,
    }))
  }

  async #due(): Promise<number> {
    const { rows } = await this.#run('look for messages', (query) =>
      query.query<{ due: number | null }>(
        `select extract(epoch from min(visible_at) - clock_timestamp())::float8 * 1000 as due
         from messages where queue = $1 and state > 0`,
        [this.#name],
      ),
    )
    return rows[0]?.due ?? Number.POSITIVE_INFINITY
  }

  #run<Result>(
    doing: string,
    work: (query: OneConnection, tries: number) => Promise<Result>,
  ): Promise<Result> {
    return this.#connections.run(`${doing} of the queue "${this.#name}"`, work)
  }
}

async function giveBack(query: OneConnection, queue: string, taker: string): Promise<void> {
  await query.query(
    `update messages set state = 0, visible_at = null, receives = receives - 1, taker = null
     where queue = $1 and state = 2 and taker = $2`,
    [queue, taker],
  )
}

function parseReceipt(receipt: string): { id: string; receives: number } {
  const [id = '', receives = ''] = receipt.split('.')
  return /^\d{1,18}$/.test(id) && /^\d{1,9}$/.test(receives)
    ? { id, receives: Number(receives) }
    : { id: '0', receives: 0 }
}
