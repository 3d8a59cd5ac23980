import type { Price } from '../../../core/contracts/endpoint-configuration.ts'
import { addUsage, type Usage } from '../../../core/contracts/usage.ts'

export interface Range {
  expected: Usage
  at_most: Usage
}

export function pricedUsage(used: Omit<Usage, 'cost'>, price: Price | null): Usage {
  if (price === null) return { ...used, cost: null }
  const { input_tokens, model_calls, output_tokens } = used
  const tokens = (input_tokens * price.input + output_tokens * price.output) / 1_000_000
  return { ...used, cost: tokens + model_calls * (price.request ?? 0) }
}

export function scaleUsage({ model_calls, input_tokens, output_tokens, cost }: Usage, factor: number): Usage {
  return {
    model_calls: model_calls * factor,
    input_tokens: input_tokens * factor,
    output_tokens: output_tokens * factor,
    cost: cost === null ? null : cost * factor,
  }
}

export function scaleRange({ expected, at_most }: Range, factor: number): Range {
  return { expected: scaleUsage(expected, factor), at_most: scaleUsage(at_most, factor) }
}

export function addRanges(one: Range, other: Range): Range {
  return {
    expected: addUsage(one.expected, other.expected),
    at_most: addUsage(one.at_most, other.at_most),
  }
}

export function usageAmount(usage: Usage, of: 'tokens' | 'cost'): number {
  return of === 'cost' ? (usage.cost ?? 0) : usage.input_tokens + usage.output_tokens
}

export function withinLimit(usage: Usage, of: 'tokens' | 'cost', limit: number): Usage {
  const amount = usageAmount(usage, of)
  return amount <= limit ? usage : scaleUsage(usage, limit / amount)
}

/** Cuts only the limited amount: the others keep their upper bounds, because calls differ. */
export function cutMost(usage: Usage, of: 'tokens' | 'cost', limit: number): Usage {
  if (of === 'cost') return { ...usage, cost: usage.cost === null ? null : Math.min(usage.cost, limit) }
  return {
    ...usage,
    input_tokens: Math.min(usage.input_tokens, limit),
    output_tokens: Math.min(usage.output_tokens, limit),
  }
}
