import type { EspalierError } from '../contracts/errors.ts'
import type { Json } from '../contracts/json.ts'

/**
 * The engine's ports to the outside. Three worlds implement it, `local`, `aws` and `postgres`, and one contract suite
 * (`test/core/contracts/world/`) runs against each.
 */
export interface World {
  readonly name: 'local' | 'aws' | 'postgres'
  readonly objects: Objects
  readonly ledger: Ledger
  readonly queues: Record<QueueName, Queue>
  readonly hosts: Hosts
  readonly clock: Clock
  /** Waits for the work in flight, then closes every file, socket and child process. Idempotent. */
  close(): Promise<void>
}

/**
 * The queues of a world: `episodes` for ordinary episodes, `alone` for those that twice left without progress and
 * must not disturb others, `datasets` for dataset builds, `jobs` for checks of trainings and loops.
 */
export type QueueName = 'episodes' | 'alone' | 'datasets' | 'jobs'

export interface Objects {
  /**
   * Stores a body whole or not at all. The body must not be changed before this resolves.
   * @returns `written: false`, and changes nothing, if the condition does not hold: the key exists (`if_none_match`),
   * or its etag is another one or it is absent (`if_match`). Drivers retry if an answer is lost on the way, so then a
   * successful conditional put may return `written: false` too. To be sure, read the body.
   */
  put(
    key: string,
    body: Uint8Array,
    options?: PutOptions,
  ): Promise<{ written: true; etag: string } | { written: false }>
  /**
   * The body, or the range of it from `start` to `end` inclusive (bytes, as in HTTP); null if the key is absent. A
   * negative `start` without `end` means the last bytes (`start: -500`, as `bytes=-500`). A range is cut at the end
   * of the body, so one that begins there is empty; `size` is always that of the whole.
   */
  get(key: string, range?: { start: number; end?: number }): Promise<StoredObject | null>
  head(key: string): Promise<ObjectInfo | null>
  /**
   * Keys with the prefix, in the order of their UTF-8 bytes, those after `after`: at most `limit`, by default 1000.
   */
  list(
    prefix: string,
    options?: { after?: string; limit?: number },
  ): Promise<{ objects: ObjectInfo[]; more: boolean }>
  delete(key: string): Promise<void>
  /**
   * An address that downloads the object without a key until it expires, in `expires_in` seconds. Absolute on AWS; on
   * the local world a path (`/v1/files/…`) of the service that serves it.
   */
  sign(
    key: string,
    options: { expires_in: number; file_name?: string },
  ): Promise<{ url: string; expires_at: Date }>
}

export interface PutOptions {
  if_none_match?: '*'
  if_match?: string
  content_type?: string
}

export interface ObjectInfo {
  key: string
  size: number
  etag: string
}

export interface StoredObject extends ObjectInfo {
  body: Uint8Array
  content_type: string | null
}

/** At-least-once delivery of small JSON messages, as in SQS. */
export interface Queue {
  /** Sends all messages; on an error none, some or all were sent. */
  send(messages: OutgoingMessage[]): Promise<void>
  /**
   * Takes up to `max` messages, waiting up to `wait` seconds for the first. A message taken is invisible for
   * `visibility` seconds and then returns unless it was deleted. Groups with few messages in flight come first, so
   * that a big group cannot starve a small one. A message taken more often than the queue's `max_receives` becomes a
   * dead letter instead. An aborted `signal` ends the wait with the messages so far, usually none; it never throws.
   */
  receive(options: {
    max: number
    wait: number
    visibility: number
    signal?: AbortSignal
    /** The only groups to take from; null: all. Read before each look. SQS and joined queues ignore it. */
    groups?: () => Promise<readonly string[] | null>
  }): Promise<IncomingMessage[]>
  /**
   * Deletes a taken message. A receipt whose visibility timeout has passed may have no effect; once the message was
   * taken again it has none.
   */
  delete(receipt: string): Promise<void>
  /** Makes a taken message invisible for `visibility` seconds from now; 0 returns it immediately. */
  extend(receipt: string, visibility: number): Promise<void>
  readonly dead_letters: Pick<Queue, 'receive' | 'delete'>
}

export interface OutgoingMessage {
  body: Json
  group: string
  /** Seconds until the message can be taken: at most 900. */
  delay?: number
}

export interface IncomingMessage {
  id: string
  /** Null in a dead letter that the storage has damaged. */
  body: Json
  /** Empty if it is damaged too. */
  group: string
  receipt: string
  receives: number
}

export interface Ledger {
  get(key: LedgerKey): Promise<LedgerItem | null>
  /**
   * Changes one item, all or nothing.
   * @returns the item after the change (null if it was deleted), or, if a condition did not hold, the item as it is
   */
  update(
    change: LedgerChange,
  ): Promise<{ ok: true; item: LedgerItem | null } | { ok: false; item: LedgerItem | null }>
  /**
   * Changes several items (at most 100, each key once), all or nothing.
   * @returns `failed`: the position of a change whose condition did not hold.
   */
  transact(changes: LedgerChange[]): Promise<{ ok: true } | { ok: false; failed: number }>
  /**
   * Items of a partition whose `sort` begins with `prefix`, in the order of its UTF-8 bytes, those after `after`
   * (before it if `reverse`); at most `limit`, by default 1000.
   * @param options.onDamaged called with items whose key is sound and whose content is damaged, which are left out;
   * more than once for one beside the end of a page. @default the query rejects
   * @throws EspalierError `damaged_object`
   */
  query(
    partition: string,
    options?: {
      prefix?: string
      after?: string
      limit?: number
      reverse?: boolean
      onDamaged?: OnDamagedItem
    },
  ): Promise<{ items: { sort: string; item: LedgerItem }[]; more: boolean }>
}

export type OnDamagedItem = (sort: string, error: EspalierError) => void

export interface LedgerKey {
  partition: string
  sort: string
}

export type LedgerItem = { [attribute: string]: Json }

/**
 * A change of one item. An absent item is created unless a condition forbids it. A change names each attribute once,
 * and one that only has conditions changes nothing: it makes a transaction depend on an item.
 */
export interface LedgerChange {
  key: LedgerKey
  set?: LedgerItem
  /** Adds to numbers; an absent attribute counts as 0. */
  add?: Record<string, number>
  remove?: string[]
  delete?: true
  /**
   * The item may vanish at any time after this, never before: milliseconds since the epoch. It is no attribute, and a
   * change without it keeps the earlier value.
   */
  expires_at?: number
  if?: LedgerCondition[]
}

/** `absent`/`present` without an attribute refer to the item. A comparison with an absent attribute does not hold. */
export type LedgerCondition =
  | { is: 'absent' | 'present'; attribute?: string }
  | { attribute: string; is: 'equal'; value: string | number | boolean }
  | { attribute: string; is: 'one_of'; values: (string | number | boolean)[] }
  | { attribute: string; is: 'at_most' | 'at_least'; value: number }

export interface Hosts {
  /**
   * Starts a host, or returns the one started with the same token, even if it has stopped by now. The host may still
   * be `starting`, or already `stopped`: see its `reason`.
   * @throws NoCapacityError if there is no machine for it now, or the account may run no more
   */
  launch(request: HostRequest): Promise<Host>
  describe(ids: string[]): Promise<Host[]>
  list(): Promise<Host[]>
  /**
   * Asks the host to drain and leave, and ends it if it does not within `grace` seconds (by default 30; on AWS always
   * the task definition's value). Unknown ids are fine.
   */
  stop(id: string, options?: { grace?: number }): Promise<void>
}

export interface HostRequest {
  image: string
  /** Launching twice with one token launches once. */
  token: string
  environment?: Record<string, string>
  on_demand?: boolean
}

export interface Host {
  id: string
  image: string
  token?: string
  status: 'starting' | 'running' | 'stopped'
  address: string | null
  reason: string | null
  lacked_capacity?: true
}

export interface Uptime {
  /** Identifies the clock: one start of a machine, or a process. */
  of: string
  milliseconds: number
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** The steady clock, unaffected by setting the date. Absent: the date is never set, as with clocks of tests. */
  uptime?(): Uptime
  /** @throws the signal's reason if it aborts */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
