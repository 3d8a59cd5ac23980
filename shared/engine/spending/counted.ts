import { toNano } from '../../contracts/money.ts'
import type { TokensAndCost } from '../../contracts/usage.ts'
import type { Amount } from './amount.ts'
import type { SpendingRow } from './spending-row.ts'

/** What became of a call. `in full`: it may have been paid, but what it cost is unknown. Null: nothing was paid. */
export type Spent = (TokensAndCost & { lost: boolean }) | 'in full' | null

/** Calls as they are added to what a worker has spent. */
export type Counted = Pick<
  SpendingRow,
  | 'spent_cost'
  | 'input_tokens'
  | 'cached_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'model_calls'
  | 'lost_calls'
>

export const nothingCounted: Readonly<Counted> = {
  spent_cost: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  model_calls: 0,
  lost_calls: 0,
}

/** @param bound - what the call could take at most */
export function countCall(spent: Spent, bound: Amount): Counted {
  if (spent === null) return nothingCounted
  if (spent === 'in full') {
    const { cost, tokens } = bound
    return { ...nothingCounted, spent_cost: cost, input_tokens: tokens, model_calls: 1, lost_calls: 1 }
  }
  const { cost, input_tokens, cached_tokens = 0, output_tokens, reasoning_tokens = 0, lost } = spent
  return {
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
  return {
    spent_cost: left.spent_cost + right.spent_cost,
    input_tokens: left.input_tokens + right.input_tokens,
    cached_tokens: left.cached_tokens + right.cached_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    reasoning_tokens: left.reasoning_tokens + right.reasoning_tokens,
    model_calls: left.model_calls + right.model_calls,
    lost_calls: left.lost_calls + right.lost_calls,
  }
}

export function lessCounted(from: Counted, counted: Counted): Counted {
  return {
    spent_cost: from.spent_cost - counted.spent_cost,
    input_tokens: from.input_tokens - counted.input_tokens,
    cached_tokens: from.cached_tokens - counted.cached_tokens,
    output_tokens: from.output_tokens - counted.output_tokens,
    reasoning_tokens: from.reasoning_tokens - counted.reasoning_tokens,
    model_calls: from.model_calls - counted.model_calls,
    lost_calls: from.lost_calls - counted.lost_calls,
  }
}

export function amountOf({ spent_cost, input_tokens, output_tokens }: Counted): Amount {
  return { cost: spent_cost, tokens: input_tokens + output_tokens }
}
