import { z } from 'zod'

/** What was consumed. Money is in US dollars; `null` where the endpoint states no prices. */
export const usageSchema = z
  .object({
    model_calls: z.int().nonnegative(),
    input_tokens: z.int().nonnegative(),
    output_tokens: z.int().nonnegative(),
    cost: z.number().nonnegative().nullable(),
  })
  .meta({ id: 'Usage' })

export type Usage = z.infer<typeof usageSchema>

export const noUsage: Usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }

/** The sum of two usages; unpriced plus anything stays unpriced. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    model_calls: left.model_calls + right.model_calls,
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cost: left.cost === null || right.cost === null ? null : left.cost + right.cost,
  }
}
