import { z } from 'zod'

/** The share of a usage counted at its upper bound. The real charge is between nothing and this. */
export const boundedUsageSchema = z
  .object({
    model_calls: z.int().nonnegative(),
    tokens: z.int().nonnegative(),
    cost: z.number().nonnegative().nullable().describe('US dollars; null if an endpoint states no prices.'),
  })
  .meta({ id: 'BoundedUsage' })

export type BoundedUsage = z.infer<typeof boundedUsageSchema>

export function describeBounds({ model_calls, tokens, cost }: BoundedUsage): string {
  const calls = `${model_calls} ${model_calls === 1 ? 'call' : 'calls'}`
  const money = cost === null ? `${tokens} tokens` : `$${cost.toFixed(4)}`
  return `${calls} and ${money} of this are upper bounds: their answers were lost`
}
