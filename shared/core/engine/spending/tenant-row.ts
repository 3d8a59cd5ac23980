import type { Ledger } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'

/**
 * A tenant's caps over all its runs, and the amounts its workers hold of them: spent, reserved, or free for their
 * next calls. Money in billionths of a dollar. Without caps it only counts.
 */
export type TenantRow = {
  cap_cost: number | null
  cap_tokens: number | null
  leased_cost: number
  leased_tokens: number
  revision: number
}

export async function readTenant(ledger: Ledger, tenant: string): Promise<TenantRow> {
  const item = (await ledger.get(ledgerKeys.tenant(tenant))) as Partial<TenantRow> | null
  const { cap_cost = null, cap_tokens = null, leased_cost = 0, leased_tokens = 0, revision = 0 } = item ?? {}
  return { cap_cost, cap_tokens, leased_cost, leased_tokens, revision }
}

/** Sets a tenant's caps; null lifts one. Workers notice within seconds. */
export async function setTenantCaps(
  ledger: Ledger,
  tenant: string,
  caps: Partial<Pick<TenantRow, 'cap_cost' | 'cap_tokens'>>,
): Promise<TenantRow> {
  // The counters must exist, because no comparison with an absent attribute holds.
  const add = { revision: 1, leased_cost: 0, leased_tokens: 0 }
  await ledger.update({ key: ledgerKeys.tenant(tenant), set: caps, add })
  return readTenant(ledger, tenant)
}
