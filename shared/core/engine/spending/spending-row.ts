import { pagesOf } from '../../world/pages-of.ts'
import type { Ledger } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { nothingCounted } from './counted.ts'

/**
 * One worker's spending for one run, and its leases of the caps of the run and its tenant. One item for each worker,
 * so that no counter is hot, and a few for those that have left; a run's usage is their sum.
 */
export type SpendingRow = {
  leased_cost: number
  leased_tokens: number
  tenant_leased_cost: number
  tenant_leased_tokens: number
  spent_cost: number
  input_tokens: number
  /** Of the input tokens; absent from items of earlier versions. */
  cached_tokens: number
  output_tokens: number
  /** Of the output tokens; absent likewise. */
  reasoning_tokens: number
  model_calls: number
  lost_calls: number
  /** The share of all these counted at its upper bound; absent from items of earlier versions. */
  bound_calls: number
  bound_tokens: number
  bound_cost: number
}

export async function readSpending(ledger: Ledger, run: string): Promise<SpendingRow> {
  const total = toSpendingRow({})
  for await (const page of pagesOf(ledger, ledgerKeys.spending(run, '').partition)) {
    for (const { item } of page) {
      const row = toSpendingRow(item as Partial<SpendingRow>)
      for (const field of Object.keys(total) as (keyof SpendingRow)[]) total[field] += row[field]
    }
  }
  return total
}

const zeros: SpendingRow = {
  leased_cost: 0,
  leased_tokens: 0,
  tenant_leased_cost: 0,
  tenant_leased_tokens: 0,
  ...nothingCounted,
}

export function toSpendingRow(item: Partial<SpendingRow> | null): SpendingRow {
  return { ...zeros, ...item }
}
