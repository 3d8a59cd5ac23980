import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { type SpendingRow, toSpendingRow } from './spending-row.ts'

/**
 * Makes what a worker holds of a run's caps equal to what it has spent and still needs, and returns the rest to the run.
 *
 * @param needed - what it keeps for its calls; asked again when its spending has changed meanwhile
 */
export async function giveBack(
  world: World,
  run: string,
  worker: string,
  needed: () => { cost: number; tokens: number } = () => ({ cost: 0, tokens: 0 }),
): Promise<void> {
  const key = ledgerKeys.spending(run, worker)
  for (;;) {
    const row = toSpendingRow((await world.ledger.get(key)) as Partial<SpendingRow> | null)
    const kept = needed()
    const cost = row.spent_cost + kept.cost - row.leased_cost
    const tokens = row.input_tokens + row.output_tokens + kept.tokens - row.leased_tokens
    if (cost === 0 && tokens === 0) return
    const add = { leased_cost: cost, leased_tokens: tokens }
    const asRead = (['leased_cost', 'leased_tokens', 'model_calls'] as const)
      .filter((attribute) => row[attribute] !== 0)
      .map((attribute) => ({ attribute, is: 'equal' as const, value: row[attribute] }))
    const done = await world.ledger.transact([
      { key, add, if: asRead },
      { key: ledgerKeys.run(run), add },
    ])
    if (done.ok) return
  }
}
