import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { nanoPerDollar } from '../../contracts/money.ts'
import { type EpisodeCounts, type RunStatus, runStatusSchema } from '../../contracts/run.ts'
import type { Usage } from '../../contracts/usage.ts'
import type { LedgerItem, LedgerKey } from '../ports.ts'
import type { Database } from './database.ts'

export interface RunTotals {
  runs: Record<RunStatus, number>
  episodes: Omit<EpisodeCounts, 'total'>
  /** `cost` is in dollars, and of the runs that have prices. */
  usage: Required<Usage> & { cost: number }
  lost_calls: number
  unpriced: number
  troubled: number
}

const ends = ['succeeded', 'failed', 'limited', 'errored', 'cancelled'] as const
const spent = [
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'model_calls',
  'lost_calls',
  'spent_cost',
] as const

const ofRun = {
  tenant: ({ tenant }: LedgerItem) => String(tenant),
  status: ({ status }: LedgerItem) => String(status),
  is_priced: ({ priced }: LedgerItem) => Number(priced === true),
  is_hidden: ({ deleting }: LedgerItem) => Number(deleting === true),
  is_troubled: ({ last_problem = null }: LedgerItem) => Number(last_problem !== null),
  total: ({ total }: LedgerItem) => toCount(total),
  in_work: ({ cursor, done }: LedgerItem) => Math.max(0, toCount(cursor) - toCount(done)),
  ...Object.fromEntries(ends.map((end) => [end, (item: LedgerItem) => toCount(item[end])])),
} satisfies Record<string, (item: LedgerItem) => string | number>

const table = `
  create table run_figures (
    run text primary key, tenant text, status text, is_priced integer, is_hidden integer, is_troubled integer,
    total integer, in_work integer, ${ends.map((end) => `${end} integer`).join(', ')},
    ${spent.map((field) => `${field} integer not null default 0`).join(', ')}
  ) without rowid;`

function fill(sqlite: DatabaseSync): void {
  const figures = new FigureRows((sql) => sqlite.prepare(sql))
  const listed = sqlite
    .prepare(
      "select sort from ledger where partition >= 'tenant/' and partition < 'tenant0' and partition like '%/runs'",
    )
    .all()
  const items = sqlite.prepare('select item from ledger where partition = ? and (sort = ? or ?)')
  const read = (partition: string, sort: string | null) =>
    items
      .all(partition, sort, sort === null ? 1 : 0)
      .map(({ item }) => parsed(String(item)))
      .filter((item) => item !== null)
  for (const { sort } of listed) {
    const run = `run/${String(sort)}`
    for (const item of read(run, 'run')) figures.change({ partition: run, sort: 'run' }, null, item)
    const partition = `${run}${spendingSuffix}`
    for (const item of read(partition, null)) figures.change({ partition, sort: '' }, null, item)
  }
}

function parsed(item: string): LedgerItem | null {
  try {
    return JSON.parse(item) as LedgerItem
  } catch {
    return null
  }
}

export function prepareRunFigures(sqlite: DatabaseSync): void {
  const isKnown = () =>
    sqlite.prepare("select 1 from sqlite_schema where name = 'run_figures'").get() !== undefined
  if (isKnown()) return
  sqlite.exec('begin immediate')
  try {
    if (!isKnown()) {
      sqlite.exec(table)
      fill(sqlite)
    }
    sqlite.exec('commit')
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('rollback')
    throw error
  }
}

const spendingSuffix = '/spending'

/**
 * A row for each run: its counters, and the sum of its workers' spending. A row without a tenant is of a deleted run
 * whose spending items still exist. The ledger updates it in the transaction that changes the run's item or a
 * spending item. All sums are of whole numbers, so that adding and subtracting always match a recount.
 */
export class FigureRows {
  readonly #place
  readonly #forget
  readonly #tidy
  readonly #add

  constructor(prepare: (sql: string) => StatementSync) {
    const columns = Object.keys(ofRun)
    const marks = (names: readonly string[]) => names.map(() => '?').join(', ')
    const set = (names: readonly string[], value: (name: string) => string) =>
      names.map((name) => `${name} = ${value(name)}`).join(', ')
    this.#place = prepare(
      `insert into run_figures (run, ${columns.join(', ')}) values (?, ${marks(columns)})
       on conflict (run) do update set ${set(columns, (name) => `excluded.${name}`)}`,
    )
    this.#forget = prepare('update run_figures set tenant = null where run = ?')
    this.#tidy = prepare(
      `delete from run_figures where run = ? and tenant is null and ${spent.map((name) => `${name} = 0`).join(' and ')}`,
    )
    this.#add = prepare(
      `insert into run_figures (run, ${spent.join(', ')}) values (?, ${marks(spent)})
       on conflict (run) do update set ${set(spent, (name) => `${name} + excluded.${name}`)}`,
    )
  }

  change({ partition, sort }: LedgerKey, before: LedgerItem | null, after: LedgerItem | null): void {
    if (!partition.startsWith('run/')) return
    if (sort === 'run' && partition.indexOf('/', 4) < 0) {
      if (after === null) {
        this.#forget.run(partition)
        this.#tidy.run(partition)
      } else this.#place.run(partition, ...Object.values(ofRun).map((of) => of(after)))
    } else if (partition.endsWith(spendingSuffix)) {
      const changes = spent.map((field) => toCount(after?.[field]) - toCount(before?.[field]))
      if (changes.every((change) => change === 0)) return
      const run = partition.slice(0, -spendingSuffix.length)
      this.#add.run(run, ...changes)
      if (after === null) this.#tidy.run(run)
    }
  }
}

function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

const isOver = `status in ('succeeded', 'failed', 'cancelled')`
const ended = ends.join(' + ')
const active = `iif(${isOver}, 0, in_work)`

export class RunFigures {
  readonly #database: Database
  readonly #sums

  constructor(database: Database) {
    this.#database = database
    this.#sums = database.prepare(`
      select status, is_priced, count(*) as runs, sum(is_troubled and not ${isOver}) as troubled,
        sum(${active}) as active, sum(total - (${ended}) - ${active}) as waiting,
        ${[...ends, ...spent].map((column) => `sum(${column}) as ${column}`).join(', ')}
      from run_figures where tenant = ? and is_hidden = 0 group by status, is_priced`)
  }

  async sum(tenant: string): Promise<RunTotals> {
    const groups = await this.#database.readInTurn(() => this.#sums.all(tenant) as Record<string, unknown>[])
    const sum = (column: string, of = groups) => of.reduce((total, group) => total + Number(group[column]), 0)
    const priced = groups.filter(({ is_priced }) => is_priced === 1)
    return {
      runs: Object.fromEntries(
        runStatusSchema.options.map((status) => [
          status,
          sum(
            'runs',
            groups.filter((group) => group.status === status),
          ),
        ]),
      ) as RunTotals['runs'],
      episodes: Object.fromEntries(
        ['waiting', 'active', ...ends].map((state) => [state, sum(state)]),
      ) as RunTotals['episodes'],
      usage: {
        input_tokens: sum('input_tokens'),
        cached_tokens: sum('cached_tokens'),
        output_tokens: sum('output_tokens'),
        reasoning_tokens: sum('reasoning_tokens'),
        model_calls: sum('model_calls'),
        cost: sum('spent_cost', priced) / nanoPerDollar,
      },
      lost_calls: sum('lost_calls'),
      unpriced: sum('runs') - sum('runs', priced),
      troubled: sum('troubled'),
    }
  }
}
