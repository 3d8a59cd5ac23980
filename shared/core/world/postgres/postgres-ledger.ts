import { randomBytes } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'
import { applyChange, checkChange, conditionsHold } from '../apply-change.ts'
import { checkKey } from '../check-key.ts'
import type { RetriedLedger } from '../joined/retried-ledger.ts'
import { compareBytes, keyRange } from '../local/key-range.ts'
import type { LedgerChange, LedgerItem, LedgerKey } from '../ports.ts'
import type { OneConnection, PostgresConnections } from './postgres-connections.ts'
import { isPassingFailure, postgresCode, postgresError } from './postgres-error.ts'

const maxItemBytes = 400 * 1024
const maxChanges = 100
const defaultLimit = 1000

type UpdateResult = { ok: true; item: LedgerItem | null } | { ok: false; item: LedgerItem | null }
type TransactResult = { ok: true } | { ok: false; failed: number }

interface Row {
  partition: string
  sort: string
  item: string
  expires_at: string | null
  stamp: string
}

interface Write {
  key: LedgerKey
  act: 'put' | 'delete' | 'check'
  /** The stamp of the row that the decision rests on; null if there was none. */
  stamp: string | null
  item: LedgerItem | null
  text: string | null
  expires_at: number | null
}

type Plan = { failed: number; item: LedgerItem | null } | { writes: Write[] }

/**
 * Items as texts in one table. A change reads its items, decides here, and writes only if their stamps are unchanged;
 * if another came first, it decides again over locked rows. A write has a token, by which a retry after a lost answer
 * sees that it was made. An expired item is absent.
 */
export class PostgresLedger implements RetriedLedger {
  readonly #connections: PostgresConnections

  constructor(connections: PostgresConnections) {
    this.#connections = connections
  }

  async get(key: LedgerKey): Promise<LedgerItem | null> {
    checkLedgerKey(key)
    const [row] = await this.#connections.run(`read the item ${key.partition} ${key.sort}`, (query) =>
      readRows(query, [key], ''),
    )
    return row === undefined || isExpired(row) ? null : (JSON.parse(row.item) as LedgerItem)
  }

  async update(change: LedgerChange, token = newToken()): Promise<UpdateResult> {
    const plan = await this.#change([change], token)
    if ('failed' in plan) return { ok: false, item: plan.item }
    return { ok: true, item: plan.writes[0]?.item ?? null }
  }

  async transact(changes: LedgerChange[], token = newToken()): Promise<TransactResult> {
    const keys = new Set(changes.map(({ key }) => JSON.stringify([key.partition, key.sort])))
    if (changes.length > maxChanges || keys.size < changes.length)
      throw new TypeError(`A transaction changes at most ${maxChanges} items, each once.`)
    if (changes.length === 0) return { ok: true }
    const plan = await this.#change(changes, token)
    return 'failed' in plan ? { ok: false, failed: plan.failed } : { ok: true }
  }

  async query(
    partition: string,
    options: { prefix?: string; after?: string; limit?: number; reverse?: boolean } = {},
  ): Promise<{ items: { sort: string; item: LedgerItem }[]; more: boolean }> {
    const { prefix = '', after, limit = defaultLimit, reverse = false } = options
    const { lower, upper } = keyRange(prefix, after, reverse)
    const until = typeof upper === 'string' ? upper : null
    // The least key is no text with NUL: behind "a" comes "a" and the lowest sign.
    const [compare, from] = lower.endsWith('\u0000') ? ['>', lower.slice(0, -1)] : ['>=', lower]
    const { rows } = await this.#connections.run(`read the items of ${partition}`, (query) =>
      query.query<Pick<Row, 'sort' | 'item'>>(
        `select sort, item from ledger where partition = $1 and sort ${compare} $2
           and ($3::text is null or sort < $3) and (expires_at is null or expires_at > $4)
         order by sort ${reverse ? 'desc' : 'asc'} limit $5`,
        [partition, from, until, Date.now(), limit + 1],
      ),
    )
    const items = rows.map(({ sort, item }) => ({ sort, item: JSON.parse(item) as LedgerItem }))
    return { items: items.slice(0, limit), more: items.length > limit }
  }

  async wasMade(token: string): Promise<boolean> {
    const { rows } = await this.#connections.run('look for an earlier change', (query) =>
      query.query('select 1 from ledger_calls where token = $1', [token]),
    )
    return rows.length > 0
  }

  async removeExpired(): Promise<void> {
    await this.#connections.run('remove expired items', async (query) => {
      await query.query('delete from ledger where expires_at <= $1', [Date.now()])
      await query.query("delete from ledger_calls where at < clock_timestamp() - interval '1 hour'")
    })
  }

  async #change(changes: LedgerChange[], token: string): Promise<Plan> {
    const asked = changes.map(copy)
    const keys = asked.map(({ key }) => key).toSorted(compareKeys)
    const doing = `change ${nameOf(asked)}`
    const optimistic = decide(asked, await this.#connections.run(doing, (query) => readRows(query, keys, '')))
    if ('failed' in optimistic) return optimistic
    if (await this.#write(doing, token, optimistic.writes)) return optimistic
    for (;;) {
      const plan = await this.#changeLocked(doing, token, asked, keys)
      if (plan !== null) return plan
    }
  }

  /** Decides over locked rows. @returns null if an item was created meanwhile */
  async #changeLocked(
    doing: string,
    token: string,
    asked: LedgerChange[],
    keys: LedgerKey[],
  ): Promise<Plan | null> {
    let plan: Plan | undefined
    try {
      return await this.#connections.once(async (query) => {
        await query.query('begin')
        plan = decide(asked, await readRows(query, keys, 'for update'))
        if ('writes' in plan) await writeOver(query, token, plan.writes)
        await query.query('commit')
        return plan
      })
    } catch (error) {
      if (isConflict(error)) return null
      if (!isPassingFailure(error)) throw postgresError(error, doing, this.#connections.name)
      if (plan === undefined || 'failed' in plan) return null
      // The answer was lost, perhaps that of the commit. The token decides.
      return (await this.#write(doing, token, plan.writes)) ? plan : null
    }
  }

  /** @returns false if another change came first */
  async #write(doing: string, token: string, writes: Write[]): Promise<boolean> {
    // A single change without effect rests on one read.
    if (writes.length === 1 && writes[0]?.act === 'check') return true
    try {
      await this.#connections.run(doing, (query) => writeOver(query, token, writes))
      return true
    } catch (error) {
      if (isConflict(error)) return false
      throw error
    }
  }
}

async function readRows(query: OneConnection, keys: LedgerKey[], lock: '' | 'for update'): Promise<Row[]> {
  const { rows } = await query.query<Row>(
    `select l.partition, l.sort, l.item, l.expires_at, l.stamp from ledger l
     where (l.partition, l.sort) in (select * from unnest($1::text[], $2::text[]))
     order by l.partition, l.sort ${lock && 'for update of l'}`,
    [keys.map(({ partition }) => partition), keys.map(({ sort }) => sort)],
  )
  return rows
}

async function writeOver(query: OneConnection, token: string, writes: Write[]): Promise<void> {
  const sorted = writes.toSorted((one, other) => compareKeys(one.key, other.key))
  await query.query('select write_items($1, $2, $3, $4, $5, $6, $7)', [
    token,
    sorted.map(({ key }) => key.partition),
    sorted.map(({ key }) => key.sort),
    sorted.map(({ act }) => act),
    sorted.map(({ stamp }) => stamp),
    sorted.map(({ text }) => text),
    sorted.map(({ expires_at }) => expires_at),
  ])
}

function decide(asked: LedgerChange[], rows: Row[]): Plan {
  const found = new Map(rows.map((row) => [`${row.partition}\u0000${row.sort}`, row]))
  const stored = asked.map(({ key }) => found.get(`${key.partition}\u0000${key.sort}`) ?? null)
  const before = stored.map((row) =>
    row === null || isExpired(row) ? null : (JSON.parse(row.item) as LedgerItem),
  )
  const failed = asked.findIndex(({ if: conditions }, at) => !conditionsHold(before[at] ?? null, conditions))
  if (failed >= 0) return { failed, item: before[failed] ?? null }
  const writes = asked.map((change, at): Write => {
    const row = stored[at] ?? null
    const present = before[at] ?? null
    const item = applyChange(present, change)
    const common = { key: change.key, stamp: row?.stamp ?? null, item }
    if (item === null)
      return { ...common, act: present === null ? 'check' : 'delete', text: null, expires_at: null }
    const kept = present === null || row?.expires_at == null ? null : Number(row.expires_at)
    const expires_at = change.expires_at === undefined ? kept : Math.ceil(change.expires_at)
    if (item === present) return { ...common, act: 'check', text: null, expires_at: null }
    return { ...common, act: 'put', text: textOf(change.key, item), expires_at }
  })
  return { writes }
}

function textOf({ partition, sort }: LedgerKey, item: LedgerItem): string {
  const text = JSON.stringify(item)
  if (Buffer.byteLength(text) <= maxItemBytes) return text
  throw new EspalierError(
    'body_too_large',
    `The item ${partition} ${sort} would have more than ${maxItemBytes} bytes: keep what is large in objects.`,
  )
}

/** Checks a change and copies it: the caller may go on using its objects while the change is made. */
function copy(change: LedgerChange): LedgerChange {
  checkLedgerKey(change.key)
  checkChange(change)
  const { set } = change
  return set === undefined ? change : { ...change, set: JSON.parse(JSON.stringify(set)) as LedgerItem }
}

function checkLedgerKey({ partition, sort }: LedgerKey): void {
  checkKey('the partition of an item', partition, 2048)
  checkKey('the sort key of an item', sort, 1024)
}

function isExpired({ expires_at }: Row): boolean {
  return expires_at !== null && Number(expires_at) <= Date.now()
}

function isConflict(error: unknown): boolean {
  return postgresCode(error) === 'ES409'
}

/** The order in which all changes lock rows, so that none wait for each other in a circle. */
function compareKeys(one: LedgerKey, other: LedgerKey): number {
  return compareBytes(one.partition, other.partition) || compareBytes(one.sort, other.sort)
}

/** Grows with time, so that the newest tokens share pages of the index. */
function newToken(): string {
  return `${Date.now().toString(36)}-${randomBytes(12).toString('base64url')}`
}

function nameOf([first, ...others]: LedgerChange[]): string {
  const { partition = '', sort = '' } = first?.key ?? {}
  const item = `the item ${partition} ${sort}`
  return others.length === 0 ? item : `${others.length + 1} items, first ${item}`
}
