import type { Ledger, LedgerChange, LedgerKey } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'

/**
 * The amounts workers hold of a run's caps: spent, reserved, or free for their next calls. Money in billionths of a
 * dollar. Separate from the run's item: workers lease and return many times a second, and these transactions would
 * contend with those that count the run's ends.
 */
type RunLeases = {
  leased_cost: number
  leased_tokens: number
  revision: number
}

/** The key of a run's leases. In runs of earlier versions they are attributes of its item. */
export function leasesKey({ id, leased_cost }: Pick<RunRow, 'id' | 'leased_cost'>): LedgerKey {
  return leased_cost === undefined ? ledgerKeys.leases(id) : ledgerKeys.run(id)
}

export function newLeases(run: string, revision: number): LedgerChange {
  const leases: RunLeases = { leased_cost: 0, leased_tokens: 0, revision }
  return { key: ledgerKeys.leases(run), set: leases }
}

export async function readLeases(ledger: Ledger, row: RunRow): Promise<Omit<RunLeases, 'revision'>> {
  const { leased_cost, leased_tokens = 0 } = row
  if (leased_cost !== undefined) return { leased_cost, leased_tokens }
  const item = (await ledger.get(leasesKey(row))) as RunLeases | null
  return { leased_cost: item?.leased_cost ?? 0, leased_tokens: item?.leased_tokens ?? 0 }
}

export function withRevision(row: RunRow, revision: number): LedgerChange[] {
  return row.leased_cost === undefined ? [{ key: leasesKey(row), set: { revision } }] : []
}
