import { isDeepStrictEqual } from 'node:util'
import type { LedgerChange } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { nothingCounted } from '../spending/counted.ts'
import { totalOf } from '../spending/fold-spending.ts'
import { unchanged } from '../spending/give-back.ts'
import { type SpendingRow, toSpendingRow } from '../spending/spending-row.ts'
import {
  type CheckedChanges,
  hasOnly,
  isAmount,
  type LedgerGuard,
  namesOnly,
  refusedTo,
} from './change-checks.ts'

const blockNames = ['run', 'endpoint', 'model', 'cost', 'tokens', 'calls', 'unseen']
const amounts = Object.keys(toSpendingRow(null)) as (keyof SpendingRow)[]
const leaseNames = ['leased_cost', 'leased_tokens', 'tenant_leased_cost', 'tenant_leased_tokens'] as const

/**
 * Permits the counts of a worker for its own calls: its reservations, its spending, and its leases of the caps. Spending only
 * grows, and a lease changes the caps by as much as the worker's own item, never to less than it has spent.
 */
export async function checkMoneyChanges(
  guard: LedgerGuard,
  changes: LedgerChange[],
): Promise<CheckedChanges> {
  const doing = 'count this money'
  const own = changes.filter(({ key }) => key.partition.startsWith('reservations/'))
  for (const change of own) await checkBlock(guard, change, doing)
  const rest = changes.filter((change) => !own.includes(change))
  if (own.length > 1 && rest.length === 0) throw refusedTo(doing)
  if (own.length > 0) {
    for (const change of rest) await checkCounted(guard, change, doing)
    return changes
  }
  const spending = rest.filter(({ key }) => key.partition.endsWith('/spending'))
  const run = spending[0]?.key.partition.split('/')[1]
  if (run === undefined) throw refusedTo(doing)
  await checkHolding(guard, run, doing)
  const key = ledgerKeys.spending(run, guard.worker.name)
  const mine = spending.find((change) => isDeepStrictEqual(change.key, key))
  if (mine === undefined) throw refusedTo(doing)
  const item = (await guard.world.ledger.get(key)) as Partial<SpendingRow> | null
  const row = toSpendingRow(item)
  const checked = mine.delete
    ? checkFold(guard, { run, row, rest }, doing)
    : checkLease(guard, { run, row, rest, mine }, doing)
  const asRead = { ...mine, if: [...(mine.if ?? []), ...unchanged(item, amounts)] }
  return checked.map((change) => (change === mine ? asRead : change))
}

async function checkBlock(guard: LedgerGuard, change: LedgerChange, doing: string): Promise<void> {
  const { name } = guard.worker
  const { partition, sort } = change.key
  if (partition !== `reservations/${name}` || !sort.startsWith(`${name}-`)) throw refusedTo(doing)
  hasOnly(change, ['set', 'delete', 'if'], doing)
  namesOnly(change.set, blockNames, doing)
  const { run, cost = 0, tokens = 0 } = change.set ?? {}
  if (!isAmount(cost) || !isAmount(tokens)) throw refusedTo(doing)
  if (run !== undefined) await checkHolding(guard, String(run), doing)
}

async function checkHolding({ world, book, worker }: LedgerGuard, run: string, doing: string): Promise<void> {
  await book.checkTenant(run)
  if ((await world.ledger.get(ledgerKeys.holding(worker.name, run))) === null) throw refusedTo(doing)
}

async function checkCounted(guard: LedgerGuard, mine: LedgerChange, doing: string): Promise<void> {
  const [, run = ''] = mine.key.partition.split('/')
  if (!isDeepStrictEqual(mine.key, ledgerKeys.spending(run, guard.worker.name))) throw refusedTo(doing)
  await checkHolding(guard, run, doing)
  hasOnly(mine, ['add'], doing)
  namesOnly(mine.add, Object.keys(nothingCounted), doing)
  if (!Object.values(mine.add ?? {}).every(isAmount)) throw refusedTo(doing)
}

function checkFold(
  { worker }: LedgerGuard,
  { run, row, rest }: { run: string; row: SpendingRow; rest: LedgerChange[] },
  doing: string,
): LedgerChange[] {
  const total = rest.find(({ delete: isDeleted }) => !isDeleted)
  const key = ledgerKeys.spending(run, totalOf(worker.name))
  const isTotal = rest.length === 2 && isDeepStrictEqual(total, { key, add: row })
  if (!isTotal) throw refusedTo(doing)
  return rest
}

function checkLease(
  { worker }: LedgerGuard,
  { run, row, rest, mine }: { run: string; row: SpendingRow; rest: LedgerChange[]; mine: LedgerChange },
  doing: string,
): LedgerChange[] {
  hasOnly(mine, ['add', 'if'], doing)
  namesOnly(mine.add, leaseNames, doing)
  const added = (name: (typeof leaseNames)[number]) => mine.add?.[name] ?? 0
  const caps = [
    { key: ledgerKeys.leases(run), cost: added('leased_cost'), tokens: added('leased_tokens') },
    {
      key: ledgerKeys.tenant(worker.tenant),
      ...{ cost: added('tenant_leased_cost'), tokens: added('tenant_leased_tokens') },
    },
  ]
  let seen = 0
  for (const { key, cost, tokens } of caps) {
    const change = rest.find((one) => isDeepStrictEqual(one.key, key))
    if (change === undefined && (cost !== 0 || tokens !== 0)) throw refusedTo(doing)
    if (change === undefined) continue
    seen += 1
    hasOnly(change, ['add', 'if'], doing)
    namesOnly(change.add, ['leased_cost', 'leased_tokens'], doing)
    const { leased_cost = 0, leased_tokens = 0 } = change.add ?? {}
    if (leased_cost !== cost || leased_tokens !== tokens) throw refusedTo(doing)
  }
  if (rest.length !== seen + 1) throw refusedTo(doing)
  const spent = { cost: row.spent_cost, tokens: row.input_tokens + row.output_tokens }
  const isCovered = leaseNames.every((name) => {
    const least = name.endsWith('cost') ? spent.cost : spent.tokens
    return added(name) >= 0 || row[name] + added(name) >= least
  })
  if (!isCovered || !leaseNames.every((name) => Number.isFinite(added(name)))) throw refusedTo(doing)
  return rest
}
