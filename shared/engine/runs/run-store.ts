import { EspalierError } from '../../contracts/errors.ts'
import type { RunStatus } from '../../contracts/run.ts'
import type { RunEvent } from '../../contracts/run-event.ts'
import type { LedgerChange, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { Serially } from '../serially.ts'
import { isFinal, type RunRow, ranFor, toRunRow } from './run-row.ts'

type EventBody<Event> = Event extends RunEvent ? Omit<Event, 'sequence' | 'created_at'> : never

/** What is to change about a run, and what else must change in the same moment. */
export interface RunChange {
  set?: Partial<RunRow>
  events?: EventBody<RunEvent>[]
  others?: LedgerChange[]
}

/**
 * The run's item in the ledger, changed by compare-and-set on its sequence: each change happens once, on a row that was
 * really read, together with the events that announce it.
 */
export class RunStore {
  readonly #world: World
  /** Changes of one process take turns: only those of other processes can be in the way. */
  readonly #turns = new Serially()

  constructor(world: World) {
    this.#world = world
  }

  /** @throws EspalierError `not_found` */
  async get(run: string): Promise<RunRow> {
    const item = await this.#world.ledger.get(ledgerKeys.run(run))
    if (!item) throw unknownRun(run)
    return toRunRow(item)
  }

  /**
   * The run, if it is the tenant's.
   *
   * @throws EspalierError `not_found`, also for another tenant's run, in the same words
   */
  async getOf(tenant: string, run: string): Promise<RunRow> {
    const row = await this.get(run)
    if (row.tenant !== tenant) throw unknownRun(run)
    return row
  }

  /**
   * Changes a run.
   *
   * @param decide - looks at the row and says what to change; null for nothing. It is asked again when another change
   * came first, so it must do nothing itself.
   * @returns the row as it is afterwards, or `null` when one of the other changes did not meet its conditions
   */
  change(run: string, decide: (row: RunRow) => RunChange | null): Promise<RunRow | null> {
    return this.#turns.run(run, () => this.#change(run, decide))
  }

  async #change(run: string, decide: (row: RunRow) => RunChange | null): Promise<RunRow | null> {
    const { clock, ledger } = this.#world
    for (let races = 0; ; races += 1) {
      // Those who raced come back at different moments.
      if (races > 0) await clock.sleep(Math.random() * Math.min(5 * 2 ** races, 500))
      const row = await this.get(run)
      const change = decide(row)
      if (change === null) return row
      const { events = [], others = [], set = {} } = change
      const sequence = row.sequence + Math.max(1, events.length)
      const key = ledgerKeys.run(run)
      const created_at = new Date(clock.now()).toISOString()
      const written = await ledger.transact([
        { key, set: { ...set, sequence }, if: [{ attribute: 'sequence', is: 'equal', value: row.sequence }] },
        ...events.map((event, index): LedgerChange => {
          const own = sequence - events.length + 1 + index
          return { key: ledgerKeys.event(run, own), set: { ...event, sequence: own, created_at } }
        }),
        ...(isFinal(set.status ?? row.status)
          ? [{ key: ledgerKeys.openRun(run), delete: true as const }]
          : []),
        ...others,
      ])
      if (written.ok) return { ...row, ...set, sequence }
      if (written.failed !== 0) return null
    }
  }
}

function unknownRun(run: string): EspalierError {
  return new EspalierError('not_found', `There is no run "${run}". GET /v1/runs lists them.`, {
    param: 'run',
  })
}

/** The change of a run's status, with its clock stopped or started and its event. */
export function toStatus(
  row: RunRow,
  status: RunStatus,
  reason: string | null,
  now: number,
): RunChange & { set: Partial<RunRow> } {
  return {
    set: {
      status,
      reason,
      running_since: status === 'running' ? now : null,
      running_milliseconds: ranFor(row, now),
      ended_at: isFinal(status) ? now : null,
      ...(status === 'running' && row.started_at === null && { started_at: now }),
    },
    events: [{ type: 'run.status', status, reason }],
  }
}
