import type { Usage } from '../../contracts/usage.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { toNano } from './money.ts'

/** A paid call under way: kept in the ledger from before it is sent until what it cost is counted. */
export type ReservationRow = { run: string; endpoint: string; model: string; cost: number; tokens: number }

/** What became of a call. `in full`: it may have been paid, but nobody knows what it cost. */
export type Spent = Pick<Usage, 'input_tokens' | 'output_tokens' | 'cost'> & { lost: boolean }

/**
 * Counts what a reserved call really cost, once: a second time, or after the sweeper was faster, nothing changes.
 *
 * @param spent - null when nothing was paid
 * @returns what was counted, in billionths of a dollar and in tokens
 */
export async function settleReservation(
  world: World,
  worker: string,
  id: string,
  row: ReservationRow,
  spent: Spent | 'in full' | null,
): Promise<{ cost: number; tokens: number }> {
  const counted = spent === 'in full' ? { lost: true, input_tokens: row.tokens, output_tokens: 0 } : spent
  const cost = spent === 'in full' ? row.cost : toNano(spent?.cost ?? null)
  const remove = {
    key: ledgerKeys.reservation(worker, id),
    delete: true as const,
    if: [{ is: 'present' as const }],
  }
  if (counted === null) {
    await world.ledger.update(remove)
    return { cost: 0, tokens: 0 }
  }
  const { input_tokens, output_tokens, lost } = counted
  const add = { spent_cost: cost, input_tokens, output_tokens, model_calls: 1, lost_calls: lost ? 1 : 0 }
  await world.ledger.transact([remove, { key: ledgerKeys.spending(row.run, worker), add }])
  return { cost, tokens: input_tokens + output_tokens }
}
