import type { LedgerCondition, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type Amount, noAmount } from './amount.ts'
import { leasesKey } from './run-leases.ts'
import { type SpendingRow, toSpendingRow } from './spending-row.ts'

/**
 * Reduces a worker's hold on the caps of a run and its tenant to its spending and remaining need, and returns the
 * difference to both.
 * @param needed - the amount it keeps for its calls; called again if its spending has changed meanwhile
 */
export async function giveBack(
  world: World,
  run: Pick<RunRow, 'id' | 'leased_cost' | 'tenant'>,
  worker: string,
  needed: () => Amount = () => noAmount,
): Promise<void> {
  const { id, tenant } = run
  const key = ledgerKeys.spending(id, worker)
  for (;;) {
    const item = (await world.ledger.get(key)) as Partial<SpendingRow> | null
    const row = toSpendingRow(item)
    const kept = needed()
    const cost = row.spent_cost + kept.cost
    const tokens = row.input_tokens + row.output_tokens + kept.tokens
    const ofRun = { leased_cost: cost - row.leased_cost, leased_tokens: tokens - row.leased_tokens }
    const ofTenant = {
      leased_cost: cost - row.tenant_leased_cost,
      leased_tokens: tokens - row.tenant_leased_tokens,
    }
    if ([...Object.values(ofRun), ...Object.values(ofTenant)].every((change) => change === 0)) return
    const add = {
      ...ofRun,
      tenant_leased_cost: ofTenant.leased_cost,
      tenant_leased_tokens: ofTenant.leased_tokens,
    }
    const done = await world.ledger.transact([
      { key, add, if: unchanged(item) },
      { key: leasesKey(run), add: ofRun },
      { key: ledgerKeys.tenant(tenant), add: ofTenant },
    ])
    if (done.ok) return
  }
}

const changing = [
  'leased_cost',
  'leased_tokens',
  'tenant_leased_cost',
  'tenant_leased_tokens',
  'model_calls',
] as const

/** Holds while nothing is leased, returned or counted: each of these changes one of the attributes, also from nothing. */
export function unchanged(
  item: Partial<SpendingRow> | null,
  attributes: readonly (keyof SpendingRow)[] = changing,
): LedgerCondition[] {
  return attributes.map((attribute) => {
    const value = item?.[attribute]
    return value === undefined ? { attribute, is: 'absent' } : { attribute, is: 'equal', value }
  })
}
