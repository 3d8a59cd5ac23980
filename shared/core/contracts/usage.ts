import { z } from 'zod'
import { addCosts } from './money.ts'

/** The amounts consumed. Money is in US dollars; `null` if the endpoint states no prices. */
export const usageSchema = z
  .object({
    model_calls: z.int().nonnegative(),
    input_tokens: z.int().nonnegative(),
    cached_tokens: z
      .int()
      .nonnegative()
      .exactOptional()
      .describe('Part of the input tokens: those in the endpoint’s cache; absent if there were none.'),
    output_tokens: z.int().nonnegative(),
    reasoning_tokens: z
      .int()
      .nonnegative()
      .exactOptional()
      .describe(
        'Part of the output tokens: reasoning that the answer does not show; absent if there was none.',
      ),
    cost: z.number().nonnegative().nullable(),
  })
  .meta({ id: 'Usage' })

export type Usage = z.infer<typeof usageSchema>

export const noUsage: Usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }

export type TokensAndCost = Omit<Usage, 'model_calls'>

/** The sum of two usages, exact to the billionth of a dollar; unpriced plus anything stays unpriced. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    ...tokenDetails({
      cached_tokens: (left.cached_tokens ?? 0) + (right.cached_tokens ?? 0),
      reasoning_tokens: (left.reasoning_tokens ?? 0) + (right.reasoning_tokens ?? 0),
    }),
    model_calls: left.model_calls + right.model_calls,
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cost: addCosts(left.cost, right.cost),
  }
}

/** The fields for cached and reasoning tokens: absent at zero, as in all data stored before they were counted. */
export function tokenDetails({
  cached_tokens,
  reasoning_tokens,
}: {
  cached_tokens: number
  reasoning_tokens: number
}): Pick<Usage, 'cached_tokens' | 'reasoning_tokens'> {
  return {
    ...(cached_tokens !== 0 && { cached_tokens }),
    ...(reasoning_tokens !== 0 && { reasoning_tokens }),
  }
}
