import {
  type ModelServer,
  type ServerState,
  type ServeSettings,
  serveRequestSchema,
  serverStateSchema,
} from '../../core/contracts/model-server.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { Ledger, LedgerItem } from '../../core/world/ports.ts'

/** A served model's row in the ledger. Times are milliseconds since the epoch; 0: never. */
export interface ServerRow {
  model: string
  tenant: string
  name: string
  endpoint: string
  settings: ServeSettings
  state: ServerState
  note: string | null
  log_tail: string[]
  address: string | null
  life: string
  restarts: number
  created_at: number
  started_at: number
  used_at: number
  wanted_at: number
  ended_at: number
}

export type ServerChange = Partial<Omit<ServerRow, 'model' | 'tenant' | 'created_at'>>

const partition = 'model-servers'

/** The rows of served models. Calls in any process, and the supervisor of their servers, change different fields. */
export function serverLedger(ledger: Ledger) {
  const key = (model: string) => ({ partition, sort: model })
  return {
    async read(model: string): Promise<ServerRow | null> {
      const item = await ledger.get(key(model))
      return item === null ? null : toRow(model, item)
    },

    async all(): Promise<ServerRow[]> {
      const rows: ServerRow[] = []
      for await (const page of pagesOf(ledger, partition)) {
        rows.push(...page.map(({ sort, item }) => toRow(sort, item)))
      }
      return rows
    },

    async put({ model, ...row }: ServerRow): Promise<void> {
      await ledger.update({ key: key(model), set: JSON.parse(JSON.stringify(row)) as LedgerItem })
    },

    async change(model: string, change: ServerChange): Promise<boolean> {
      const set = JSON.parse(JSON.stringify(change)) as LedgerItem
      return (await ledger.update({ key: key(model), set, if: [{ is: 'present' }] })).ok
    },

    async remove(model: string): Promise<void> {
      await ledger.update({ key: key(model), delete: true })
    },
  }
}

function toRow(model: string, item: LedgerItem): ServerRow {
  const number = (name: string) => Number(item[name] ?? 0)
  const text = (name: string) => (typeof item[name] === 'string' ? item[name] : null)
  return {
    model,
    tenant: String(item.tenant),
    name: String(item.name),
    endpoint: String(item.endpoint),
    settings: serveRequestSchema.parse(item.settings),
    state: serverStateSchema.parse(item.state),
    note: text('note'),
    log_tail: Array.isArray(item.log_tail) ? item.log_tail.map(String) : [],
    address: text('address'),
    life: text('life') ?? '',
    restarts: number('restarts'),
    created_at: number('created_at'),
    started_at: number('started_at'),
    used_at: number('used_at'),
    wanted_at: number('wanted_at'),
    ended_at: number('ended_at'),
  }
}

export function toModelServer(row: ServerRow): ModelServer {
  const time = (at: number) => (at === 0 ? null : new Date(at).toISOString())
  const { address, endpoint, log_tail, name, note, restarts, settings, state } = row
  return {
    id: row.model,
    object: 'model_server',
    name,
    endpoint,
    state,
    note,
    log_tail,
    driver: settings.driver ?? 'llama-cpp',
    settings,
    address,
    restarts,
    created_at: new Date(row.created_at).toISOString(),
    started_at: time(row.started_at),
    used_at: time(row.used_at),
  }
}
