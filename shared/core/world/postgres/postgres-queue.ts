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

  async receive({ max, wait, visibility, signal, groups }: ReceiveOptions): Promise<IncomingMessage[]> {
    if (this.#closed) throw worldClosed()
    const deadline = performance.now() + wait * 1000
    for (;;) {
      if (this.#closed || signal?.aborted) return []
      const rings = this.#bell.rings
      const messages = await this.#take(max, visibility, (await groups?.()) ?? null)
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

  async #take(max: number, visibility: number, groups: readonly string[] | null): Promise<IncomingMessage[]> {
    const taker = randomUUID()
    const isGrave = this.dead_letters === this
    const { rows } = await this.#run('take messages', async (query, tries) => {
      // The answer of an earlier try was lost, and with it the messages that it hid.
      if (tries > 1) await giveBack(query, this.#name, taker)
      const taken = await query.query<MessageRow>('select * from take_messages($1, $2, $3, $4, $5, $6)', [
        this.#name,
        isGrave ? null : this.dead_letters.#name,
        maxReceives,
        // Taking none only puts back the messages whose time has come.
        groups === null ? max : 0,
        visibility,
        taker,
      ])
      if (groups === null) return taken
      return query.query<MessageRow>(takeOf, [this.#name, groups, max, visibility, taker])
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

const takeOf = `
with busy as (
  select group_name, count(*) as load from messages
  where queue = $1 and state = 2 and group_name = any($2::text[]) group by 1
), ready as (
  select id, group_name, row_number() over (partition by group_name order by id) as place from messages
  where queue = $1 and state = 0 and group_name = any($2::text[])
), fair as (
  select r.id, coalesce(b.load, 0) + r.place as turn from ready r left join busy b using (group_name)
  order by turn, r.id limit $3
), taken as (
  update messages m
  set state = 2, visible_at = clock_timestamp() + make_interval(secs => $4), receives = m.receives + 1, taker = $5
  where m.id in (
    select c.id from messages c where c.state = 0 and c.id in (select id from fair) for update skip locked
  )
  returning m.id, m.group_name, m.body, m.receives
)
select taken.* from taken join fair using (id) order by fair.turn, id`

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
