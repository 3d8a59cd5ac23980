import type { Ledger } from '../../world/ports.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { Amount } from './amount.ts'
import type { Caps } from './caps.ts'
import { readSpending } from './spending-row.ts'

export interface Affordable {
  episodes: number
  of: 'run' | 'tenant' | null
  spentAtMost: Amount
}

/**
 * Calls assumed for an episode before any has ended and shown its price: a search of the papers takes several
 * hundred.
 */
const unknownCalls = 500
const margin = 1.25
const units = ['cost', 'tokens'] as const

/**
 * Divides the remainder of each cap by the price of an episode: the mean of the ended ones, including their share of
 * unfinished ones. Until one has ended it is the price of {@link unknownCalls} calls.
 * @param bound - the largest upper bound of a call so far; null: no call was requested yet
 */
export async function affordableEpisodes(
  ledger: Ledger,
  row: RunRow,
  caps: readonly Caps[],
  bound: Amount | null,
): Promise<Affordable> {
  if (!caps.some(isCapped)) return { ...unlimited, spentAtMost: { cost: 0, tokens: 0 } }
  const total = await readSpending(ledger, row.id)
  const spent = { cost: total.spent_cost, tokens: total.input_tokens + total.output_tokens }
  const spentAtMost = {
    cost: Math.max(spent.cost, total.leased_cost, total.tenant_leased_cost),
    tokens: Math.max(spent.tokens, total.leased_tokens, total.tenant_leased_tokens),
  }
  const own = { leased_cost: spent.cost, leased_tokens: spent.tokens }
  const used = caps.map((each) => (each.of === 'run' ? { ...each, ...own } : each))
  return { ...divide(row, used, bound, spent), spentAtMost }
}

/**
 * True if the caps pay for all episodes even if the run has spent every amount leased. False decides nothing.
 * @param spentAtMost - of the last check, with the leases since
 */
export function areCapsFar(
  row: RunRow,
  caps: readonly Caps[],
  bound: Amount | null,
  spentAtMost: Amount,
): boolean {
  return divide(row, caps, bound, spentAtMost).episodes === Number.POSITIVE_INFINITY
}

export function leasedSince(earlier: readonly Caps[], now: readonly Caps[]): Amount {
  const growth = (unit: keyof Amount) =>
    now.map((caps, index) => {
      const before = earlier[index]
      return caps[`cap_${unit}`] === null || before === undefined
        ? 0
        : caps[`leased_${unit}`] - before[`leased_${unit}`]
    })
  return { cost: Math.max(0, ...growth('cost')), tokens: Math.max(0, ...growth('tokens')) }
}

const unlimited = { episodes: Number.POSITIVE_INFINITY, of: null }

function divide(
  row: RunRow,
  caps: readonly Caps[],
  bound: Amount | null,
  spent: Amount,
): Pick<Affordable, 'episodes' | 'of'> {
  const playing = Math.min(row.max_parallel, row.work_total - row.done)
  let fewest: Pick<Affordable, 'episodes' | 'of'> = unlimited
  for (const each of caps) {
    for (const unit of units) {
      const cap = each[`cap_${unit}`]
      const price = row.done > 0 ? spent[unit] / row.done : unknownCalls * (bound?.[unit] ?? cap ?? 0)
      if (cap === null || price === 0) continue
      const left = cap - each[`leased_${unit}`]
      const episodes = Math.max(1, Math.floor(left / (price * margin)))
      if (episodes < Math.min(playing, fewest.episodes)) fewest = { episodes, of: each.of }
    }
  }
  return fewest
}

function isCapped({ cap_cost, cap_tokens }: Caps): boolean {
  return cap_cost !== null || cap_tokens !== null
}
