import type { StatementSync } from 'node:sqlite'
import type { DamageBook } from '../damage-book.ts'
import type { Database } from './database.ts'
import { messageCrcs, queueOfLetter } from './row-crc.ts'

export interface MessageRow {
  id: number
  group_name: string
  body: string
  receives: number
}

export interface StoredMessage extends MessageRow {
  queue: string
  group_crc: number | null
  crc: number | null
}

export interface Taken {
  messages: MessageRow[]
  buried: number
}

export interface TakeOptions {
  max: number
  now: number
  until: number
  wanted: ReadonlySet<string> | null
}

export interface QueueCount {
  queue: string
  state: 'ready' | 'delayed' | 'in_flight' | 'dead'
  count: number
}

/** Milliseconds by which a clock is corrected as it runs; a larger jump means it was set. */
const smallCorrection = 1000

/**
 * The table of messages. A message is ready (state 0), delayed (1) or in flight (2). Those that are not ready become
 * so at `visible_at`, and were hidden at `hidden_at`, in milliseconds since the epoch. Call it within the database's
 * `read` and `write`. Queue, group and body have checksums, compared when a message is taken. A damaged one becomes a
 * dead letter, whose body is null.
 */
export class QueueRows {
  readonly #damage: DamageBook
  readonly #send: StatementSync
  readonly #bury: StatementSync
  readonly #putAside: StatementSync
  readonly #surface: StatementSync
  readonly #inFlight: StatementSync
  readonly #heads: StatementSync
  readonly #next: StatementSync
  readonly #take: StatementSync
  readonly #delete: StatementSync
  readonly #extend: StatementSync
  readonly #due: StatementSync
  readonly #giveBackAll: StatementSync
  readonly #giveBack: StatementSync
  readonly #ready: StatementSync
  readonly #rebase: StatementSync
  readonly #counts: StatementSync
  readonly #holder: string
  #latest = Number.NEGATIVE_INFINITY

  constructor(database: Database, holder: string, damage: DamageBook) {
    this.#holder = holder
    this.#damage = damage
    const taken = 'id = ? and queue = ? and state = 2 and receives = ? and visible_at > ?'
    this.#send = database.prepare(
      `insert into messages (queue, group_name, group_crc, body, crc, state, visible_at, hidden_at, receives)
       values (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    )
    this.#putAside = database.prepare(
      'update messages set queue = ?, state = 0, holder = null, receives = 0 where id = ?',
    )
    this.#bury = database.prepare(
      `update messages set queue = ?, state = 0, holder = null
       where queue = ? and state > 0 and visible_at <= ? and state = 2 and receives >= ?`,
    )
    this.#surface = database.prepare(
      'update messages set state = 0, holder = null where queue = ? and state > 0 and visible_at <= ?',
    )
    this.#inFlight = database.prepare(
      'select group_name, count(*) as messages from messages where queue = ? and state = 2 group by group_name',
    )
    this.#heads = database.prepare(
      `with recursive ready (name) as (
         select min(group_name) from messages where queue = ?1 and state = 0
         union all
         select (select min(group_name) from messages where queue = ?1 and state = 0 and group_name > name)
         from ready where name is not null
       )
       select name as group_name,
         (select min(id) from messages where queue = ?1 and state = 0 and group_name = name) as id
       from ready where name is not null`,
    )
    this.#next = database.prepare(
      'select min(id) as id from messages where queue = ? and state = 0 and group_name = ? and id > ?',
    )
    this.#take = database.prepare(
      `update messages set state = 2, visible_at = ?, hidden_at = ?, receives = receives + 1, holder = ? where id = ?
       returning id, queue, group_name, group_crc, body, crc, receives`,
    )
    this.#delete = database.prepare(`delete from messages where ${taken}`)
    // A message that returns earlier than announced loses its holder: it was not in progress when its holder died.
    this.#extend = database.prepare(
      `update messages set visible_at = ?1, hidden_at = ?2, holder = iif(?1 < visible_at, null, holder) where ${taken}`,
    )
    this.#due = database.prepare('select min(visible_at) as due from messages where queue = ? and state > 0')
    const giveBack = `update messages set visible_at = 0, holder = null,
       receives = iif(holder is null or queue in ('datasets', 'jobs'), receives, receives - 1) where state = 2`
    this.#giveBackAll = database.prepare(giveBack)
    this.#giveBack = database.prepare(`${giveBack} and holder = ?`)
    this.#rebase = database.prepare(
      `update messages set visible_at = visible_at - hidden_at + ?1, hidden_at = ?1
       where state > 0 and hidden_at > ?1`,
    )
    this.#counts = database.prepare(
      `select queue, iif(state > 0 and visible_at <= ?, 0, state) as state, count(*) as count
       from messages group by 1, 2 order by 1, 2`,
    )
    this.#ready = database.prepare(
      `select exists (select 1 from messages where queue = ?1 and state = 0)
         or exists (select 1 from messages where queue = ?1 and state > 0 and visible_at <= ?2) as ready`,
    )
  }

  /** @param delay milliseconds until it can be taken */
  send(queue: string, group: string, body: string, { now, delay }: { now: number; delay: number }): void {
    const { group: groupCrc, whole } = messageCrcs(queue, group, body)
    const times = delay > 0 ? ([1, now + delay, now] as const) : ([0, 0, null] as const)
    this.#send.run(queue, group, groupCrc, body, whole, ...times)
  }

  /** @param grave the queue for messages taken `max` times, or null without a limit */
  take(
    queue: string,
    grave: { queue: string; max: number } | null,
    { max, now, until, wanted }: TakeOptions,
  ): Taken {
    let buried = grave === null ? 0 : Number(this.#bury.run(grave.queue, queue, now, grave.max).changes)
    this.#surface.run(queue, now)
    const messages = this.#choose(queue, max, wanted).flatMap((id) => {
      const row = this.#take.get(until, now, this.#holder, id) as unknown as StoredMessage
      const message = this.#readSound(row)
      if (message.body !== damagedBody || grave === null) return [message]
      this.#putAside.run(grave.queue, id)
      buried += 1
      return []
    })
    return { messages, buried }
  }

  /** The message, or, if it is damaged, one with the body null, and without its group if that is damaged too. */
  #readSound(row: StoredMessage): MessageRow {
    const fault = messageFault(row)
    if (fault === null) return row
    const { id, queue, group_name } = row
    const group = fault === 'body' ? group_name : ''
    this.#damage.add(messageName({ id, queue, group }))
    return { ...row, group_name: group, body: damagedBody }
  }

  delete(id: number, queue: string, receives: number, now: number): void {
    this.#delete.run(id, queue, receives, now)
  }

  extend(id: number, queue: string, receives: number, now: number, until: number): void {
    this.#extend.run(until, now, id, queue, receives, now)
  }

  due(queue: string): number | null {
    return (this.#due.get(queue) as { due: number | null } | undefined)?.due ?? null
  }

  hasReady(queue: string, now: number): boolean {
    return this.#ready.get(queue, now)?.ready === 1
  }

  counts(now: number): QueueCount[] {
    const states = ['ready', 'delayed', 'in_flight'] as const
    return this.#counts.all(now).map(({ queue, state, count }) => {
      const name = String(queue)
      const isDead = name.endsWith('/dead')
      const stands = states[Number(state)] ?? 'ready'
      return { queue: queueOfLetter(name), state: isDead ? 'dead' : stands, count: Number(count) }
    })
  }

  isSetBack(now: number): boolean {
    this.#latest = Math.max(this.#latest, now)
    return now < this.#latest - smallCorrection
  }

  /**
   * Restarts the visibility timeout of messages hidden before the clock was set back, so that none waits until the
   * clock has caught up.
   */
  rebase(now: number): void {
    this.#rebase.run(now)
    this.#latest = now
  }

  giveBackAll(): void {
    this.#giveBackAll.run()
  }

  /**
   * Ends the visibility timeout of the messages that a dead process held. Their receive does not count: an episode's
   * message must not become a dead letter because processes die. It does count for builds of datasets, which have no
   * other count of deaths, and for job checks, which must know that they are repeated.
   */
  giveBack(holder: string): void {
    this.#giveBack.run(holder)
  }

  /**
   * Ids of ready messages: always the oldest one of the group that has the fewest in flight, oldest group head first.
   */
  #choose(queue: string, max: number, wanted: TakeOptions['wanted']): number[] {
    const ready = this.#heads.all(queue) as unknown as { group_name: string; id: number }[]
    const heads = wanted === null ? ready : ready.filter(({ group_name }) => wanted.has(group_name))
    if (heads.length === 0) return []
    const inFlight = new Map<string, number>()
    for (const { group_name, messages } of this.#inFlight.all(queue)) {
      inFlight.set(String(group_name), Number(messages))
    }
    const groups = heads.map((head) => ({ ...head, load: inFlight.get(head.group_name) ?? 0 }))
    const chosen: number[] = []
    while (chosen.length < max && groups.length > 0) {
      const first = groups.reduce((best, group) =>
        group.load < best.load || (group.load === best.load && group.id < best.id) ? group : best,
      )
      chosen.push(first.id)
      first.load += 1
      const next = this.#next.get(queue, first.group_name, first.id) as { id: number | null } | undefined
      if (typeof next?.id === 'number') first.id = next.id
      else groups.splice(groups.indexOf(first), 1)
    }
    return chosen
  }
}

const damagedBody = 'null'

/** The damaged column of a message, or null if it is as it was sent. Messages of older versions have no checksum. */
export function messageFault(row: Omit<StoredMessage, 'id' | 'receives'>): 'group' | 'body' | null {
  const { queue, group_name, group_crc, body, crc } = row
  if (crc === null) return isJson(body) ? null : 'body'
  const { group, whole } = messageCrcs(String(queue), String(group_name), String(body))
  if (group !== group_crc) return 'group'
  return whole === crc ? null : 'body'
}

export function messageName({ id, queue, group }: { id: number; queue: string; group: string }): string {
  return `message ${id} of the queue "${queueOfLetter(queue)}"${group === '' ? '' : ` about ${group}`}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
