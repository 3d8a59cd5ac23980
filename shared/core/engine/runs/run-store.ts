import { EspalierError } from '../../contracts/errors.ts'
import type { RunStatus } from '../../contracts/run.ts'
import type { RunEvent } from '../../contracts/run-event.ts'
import type { LedgerChange, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { lookInto, unknownId } from '../unknown-id.ts'
import { combineChanges } from './combine-changes.ts'
import { countedUpTo, type Moment } from './run-clock.ts'
import { isFinal, type RunRow, toRunRow } from './run-row.ts'

type EventBody<Event> = Event extends RunEvent ? Omit<Event, 'sequence' | 'created_at'> : never

export interface RunChange {
  set?: Partial<RunRow>
  events?: EventBody<RunEvent>[]
  others?: LedgerChange[]
}

export type RunDecision = (row: RunRow) => RunChange | null

interface AskedChange {
  decide: RunDecision
  resolve: (row: RunRow | null) => void
  reject: (error: unknown) => void
}

/**
 * The run's item in the ledger, changed by compare-and-set on its sequence. Each change happens once, on a row as
 * read, together with the events that announce it. Changes that one process requests while it waits for an earlier
 * one are batched in order, so that a thousand simultaneous ends cost a few dozen transactions.
 */
export class RunStore {
  readonly #world: World
  readonly #onEnd: (row: RunRow) => void
  readonly #asked = new Map<string, AskedChange[]>()

  constructor(world: World, onEnd: (row: RunRow) => void = () => undefined) {
    this.#world = world
    this.#onEnd = onEnd
  }

  async get(run: string): Promise<RunRow> {
    const row = await this.find(run)
    if (row === null) throw unknownRun(run)
    return row
  }

  async find(run: string): Promise<RunRow | null> {
    const item = await this.#world.ledger.get(ledgerKeys.run(run))
    return item === null ? null : toRunRow(item)
  }

  /**
   * The run, if it is the tenant's.
   * @throws EspalierError `not_found`, also for another tenant's run, in the same words
   */
  async getOf(tenant: string, run: string): Promise<RunRow> {
    const row = await this.find(run)
    if (row !== null && row.tenant === tenant && row.deleting !== true) return row
    const { ledger } = this.#world
    throw await unknownId('run', run, { ledger, listed: `tenant/${tenant}/runs` })
  }

  /**
   * Changes a run.
   * @param decide - called again if another change came first, so it must have no side effects
   * @returns the resulting row, or `null` if one of the other changes did not meet its conditions
   */
  change(run: string, decide: RunDecision): Promise<RunRow | null> {
    return new Promise((resolve, reject) => {
      const asked = { decide, resolve, reject }
      const waiting = this.#asked.get(run)
      if (waiting !== undefined) waiting.push(asked)
      else {
        this.#asked.set(run, [asked])
        void this.#takeTurns(run)
      }
    })
  }

  async #takeTurns(run: string): Promise<void> {
    for (;;) {
      const waiting = this.#asked.get(run) ?? []
      if (waiting.length === 0) break
      this.#asked.set(run, [])
      await this.#makeAll(run, waiting)
    }
    this.#asked.delete(run)
  }

  async #makeAll(run: string, waiting: AskedChange[]): Promise<void> {
    for (let left = waiting; left.length > 0; ) {
      const [first] = left as [AskedChange]
      try {
        left = await this.#make(run, left)
      } catch (error) {
        if (left.length === 1) first.reject(error)
        else for (const one of left) await this.#makeAll(run, [one])
        return
      }
    }
  }

  async #make(run: string, waiting: AskedChange[]): Promise<AskedChange[]> {
    const { clock, ledger } = this.#world
    for (let [left, races] = [waiting, 0]; ; races += 1) {
      if (races > 0) await clock.sleep(Math.random() * Math.min(5 * 2 ** races, 500))
      const row = await this.get(run)
      const decisions = left.map(({ decide }) => decide)
      const { changes, owners, rows } = combineChanges(row, decisions, clock.now())
      const written = changes.length === 0 ? { ok: true as const } : await ledger.transact(changes)
      if (written.ok) {
        const last = rows.at(-1) ?? null
        if (last !== null && isFinal(last.status) && !isFinal(row.status)) this.#onEnd(last)
        for (const [index, after] of rows.entries()) left[index]?.resolve(after)
        return left.slice(rows.length)
      }
      const refused = owners[written.failed] ?? null
      if (refused === null) continue
      left[refused]?.resolve(null)
      left = left.toSpliced(refused, 1)
      races = -1
      if (left.length === 0) return left
    }
  }
}

export function unknownRun(run: string): EspalierError {
  return new EspalierError('not_found', `There is no run "${run}". ${lookInto('run')}`, {
    param: 'run',
  })
}

export function toStatus(
  row: RunRow,
  status: RunStatus,
  reason: string | null,
  at: Moment | number,
): RunChange & { set: Partial<RunRow> } {
  const now = typeof at === 'number' ? at : at.now
  return {
    set: {
      status,
      reason,
      running_since: status === 'running' ? now : null,
      ...countedUpTo(row, at),
      ended_at: isFinal(status) ? now : null,
      ...(status === 'running' && row.started_at === null && { started_at: now }),
    },
    events: [{ type: 'run.status', status, reason }],
  }
}
