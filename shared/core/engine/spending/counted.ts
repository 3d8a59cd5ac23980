import { toNano } from '../../contracts/money.ts'
import type { TokensAndCost } from '../../contracts/usage.ts'
import type { Amount } from './amount.ts'
import type { SpendingRow } from './spending-row.ts'

/** A call's outcome. `in full`: it may have been paid, but its cost is unknown. Null: nothing was paid. */
export type Spent = (TokensAndCost & { lost: boolean }) | 'in full' | null

export type Counted = Pick<
  SpendingRow,
  | 'spent_cost'
  | 'input_tokens'
  | 'cached_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'model_calls'
  | 'lost_calls'
  | 'bound_calls'
  | 'bound_tokens'
  | 'bound_cost'
>

export const nothingCounted: Readonly<Counted> = {
  spent_cost: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  model_calls: 0,
  lost_calls: 0,
  bound_calls: 0,
  bound_tokens: 0,
  bound_cost: 0,
}

export function countCall(spent: Spent, bound: Amount): Counted {
  if (spent === null) return nothingCounted
  if (spent === 'in full') {
    const { cost, tokens } = bound
    return {
      ...nothingCounted,
      spent_cost: cost,
      input_tokens: tokens,
      model_calls: 1,
      lost_calls: 1,
      bound_calls: 1,
      bound_tokens: tokens,
      bound_cost: cost,
    }
  }
  const { cost, input_tokens, cached_tokens = 0, output_tokens, reasoning_tokens = 0, lost } = spent
  return {
    ...nothingCounted,
    spent_cost: toNano(cost),
    input_tokens,
    cached_tokens,
    output_tokens,
    reasoning_tokens,
    model_calls: 1,
    lost_calls: lost ? 1 : 0,
  }
}

export function addCounted(left: Counted, right: Counted): Counted {
  return left === nothingCounted ? right : combineCounted(left, right, 1)
}

export function lessCounted(from: Counted, counted: Counted): Counted {
  return counted === nothingCounted ? from : combineCounted(from, counted, -1)
}

const fields = Object.keys(nothingCounted) as (keyof Counted)[]

function combineCounted(left: Counted, right: Counted, sign: 1 | -1): Counted {
  const combined = { ...left }
  for (const field of fields) combined[field] += sign * right[field]
  return combined
}

export function amountOf({ spent_cost, input_tokens, output_tokens }: Counted): Amount {
  return { cost: spent_cost, tokens: input_tokens + output_tokens }
}
