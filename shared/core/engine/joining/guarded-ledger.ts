import { machineLoadSchema } from '../../contracts/machine.ts'
import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../../world/ports.ts'
import { type CheckedChanges, type LedgerGuard, ratesKey, refusedTo } from './change-checks.ts'
import { checkEpisodeChanges } from './episode-rules.ts'
import { checkMoneyChanges } from './money-rules.ts'
import { checkOwnChange } from './own-rules.ts'
import { checkRunChanges } from './run-rules.ts'

/**
 * The ledger as a worker may use it: it reads the items of its tenant's runs, and makes the changes that the engine makes
 * for its messages and claims, in the same shape and under the same conditions. Every other change is refused.
 */
export function guardLedger(guard: LedgerGuard): RetriedLedger {
  const { ledger } = guard.world
  return {
    async get(key) {
      const read = await readableKey(guard, key)
      const item = read === null ? null : await ledger.get(read)
      return item !== null && key.partition === 'workers' ? shownRow(guard, key, item) : item
    },
    async query(partition, options) {
      const read = await readableKey(guard, { partition, sort: '' })
      if (read === null) return { items: [], more: false }
      const found = await ledger.query(read.partition, options)
      return partition === 'workers' ? shownWorkers(guard, found) : found
    },
    async update(change, token) {
      const checked = await check(guard, [change])
      if (!Array.isArray(checked)) return { ok: false, item: checked.item }
      return ledger.update(checked[0] as LedgerChange, token)
    },
    async transact(changes, token) {
      if (changes.length === 0) return { ok: true }
      const checked = await check(guard, changes)
      if (!Array.isArray(checked)) return { ok: false, failed: checked.failed }
      return ledger.transact(checked, token)
    },
    wasMade: (token) => ledger.wasMade(token),
  }
}

function shownRow({ worker }: LedgerGuard, { sort }: LedgerKey, item: LedgerItem): LedgerItem {
  return sort === worker.name ? item : { expires: item.expires ?? 0 }
}

function shownWorkers({ worker }: LedgerGuard, { items, more }: Awaited<ReturnType<Ledger['query']>>) {
  const shown = items.filter(({ item }) => item.tenant === undefined || item.tenant === worker.tenant)
  return {
    items: shown.map(({ sort, item: { code, expires = 0, load } }) => {
      const leaving = machineLoadSchema.safeParse(load).data?.leaving ?? false
      const item: LedgerItem = { expires, load: { playing: 0, leaving, episodes: [] } }
      return { sort, item: code === undefined ? item : { ...item, code } }
    }),
    more,
  }
}

/**
 * @returns the key of the item in this world; null if the worker sees none
 * @throws EspalierError `not_found` for another tenant's run; `invalid_state` for anything that a worker has no use for
 */
async function readableKey({ book, worker }: LedgerGuard, key: LedgerKey): Promise<LedgerKey | null> {
  const { partition, sort } = key
  const [family = '', name = '', part] = partition.split('/')
  switch (family) {
    case 'run':
      if (part === 'steward') break
      await book.checkTenant(name)
      return key
    case 'tenants':
      if (sort === worker.tenant) return key
      break
    case 'tenant':
      if (name === worker.tenant && part === 'turns') return key
      break
    case 'reservations':
      if (name === worker.name) return key
      break
    case 'holdings':
      if (sort === '') break
      await book.checkTenant(sort)
      return key
    case 'workers':
    case 'data-packs':
      return key
    case 'rates':
      return ratesKey(worker, key)
    // The service's endpoints and servers: a worker has its own.
    case 'endpoints':
    case 'model-servers':
      return null
  }
  throw refusedTo(`read "${partition}"`)
}

function check(guard: LedgerGuard, changes: LedgerChange[]): Promise<CheckedChanges> {
  const families = new Set(changes.map(({ key }) => familyOf(key)))
  if (families.has('episode')) return checkEpisodeChanges(guard, changes)
  if (families.has('run')) return checkRunChanges(guard, changes)
  if (families.has('money')) return checkMoneyChanges(guard, changes)
  const [change] = changes
  if (change === undefined || changes.length > 1) throw refusedTo('change these items together')
  return checkOwnChange(guard, change)
}

function familyOf({ partition, sort }: LedgerKey): 'episode' | 'run' | 'money' | 'own' {
  const [family = '', , part] = partition.split('/')
  if (family === 'tenants' || family === 'reservations') return 'money'
  if (family !== 'run') return 'own'
  if (part === 'episodes' || part === 'active' || part === 'ends') return 'episode'
  if (part === 'spending' || part === 'leases') return 'money'
  return part === 'events' || (part === undefined && sort === 'run') ? 'run' : 'own'
}
