import type { World } from '../../world/ports.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { Amount } from './amount.ts'
import { readCaps } from './caps.ts'
import { readSpending } from './spending-row.ts'

export interface Affordable {
  episodes: number
  of: 'run' | 'tenant' | null
}

/**
 * Calls assumed for an episode before any has ended and shown its price: a search of the papers takes several
 * hundred.
 */
const unknownCalls = 500
const margin = 1.25

/**
 * Divides the remainder of each cap by the price of an episode: the mean of the ended ones, including their share of
 * unfinished ones. Until one has ended it is the price of {@link unknownCalls} calls.
 * @param bound - the largest upper bound of a call so far; null: no call was requested yet
 */
export async function affordableEpisodes(
  world: World,
  row: RunRow,
  bound: Amount | null,
): Promise<Affordable> {
  const caps = (await readCaps(world, row)).filter(
    ({ cap_cost, cap_tokens }) => cap_cost !== null || cap_tokens !== null,
  )
  const unlimited = Number.POSITIVE_INFINITY
  if (caps.length === 0) return { episodes: unlimited, of: null }
  const total = await readSpending(world.ledger, row.id)
  const spent: Amount = { cost: total.spent_cost, tokens: total.input_tokens + total.output_tokens }
  const playing = Math.min(row.max_parallel, row.work_total - row.done)
  let fewest: Affordable = { episodes: unlimited, of: 'run' }
  for (const each of caps) {
    for (const unit of ['cost', 'tokens'] as const) {
      const cap = each[`cap_${unit}`]
      const price = row.done > 0 ? spent[unit] / row.done : unknownCalls * (bound?.[unit] ?? cap ?? 0)
      if (cap === null || price === 0) continue
      const left = cap - (each.of === 'run' ? spent[unit] : each[`leased_${unit}`])
      const episodes = Math.max(1, Math.floor(left / (price * margin)))
      if (episodes < Math.min(playing, fewest.episodes)) fewest = { episodes, of: each.of }
    }
  }
  return fewest
}
