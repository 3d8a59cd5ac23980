import { z } from 'zod'
import type { UpperBound } from '../contracts/meter.ts'
import type { ChatRequest } from './chat-model.ts'
import { estimatePromptTokens } from './estimate-tokens.ts'

/** US dollars per million tokens, and per call where an endpoint charges for calls as such. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  request: z.number().nonnegative().optional(),
})

export type Price = z.infer<typeof priceSchema>

/** Prices by model. `*` stands for every model that is not named. */
export const pricesSchema = z.record(z.string().min(1), priceSchema)

export type Prices = z.infer<typeof pricesSchema>

/** The price of a model, or null where none is stated. */
export function findPrice(prices: Prices | undefined, model: string): Price | null {
  if (prices === undefined) return null
  if (Object.hasOwn(prices, model)) return prices[model] ?? null
  return Object.hasOwn(prices, '*') ? (prices['*'] ?? null) : null
}

/** What a call costs in US dollars; null without a price. */
export function costOf(
  price: Price | null,
  tokens: { input_tokens: number; output_tokens: number },
): number | null {
  if (price === null) return null
  const millionths = tokens.input_tokens * price.input + tokens.output_tokens * price.output
  return millionths / 1_000_000 + (price.request ?? 0)
}

/** What a call used and cost that answers with numbers, not tokens. */
export function spentOnInput(price: Price | null, input_tokens: number) {
  const tokens = { input_tokens, output_tokens: 0 }
  return { ...tokens, cost: costOf(price, tokens) }
}

/** What a call costs at most: its prompt, estimated on the high side, and `n` answers of `max_tokens`. */
export function upperBoundOf(request: ChatRequest, price: Price | null): UpperBound {
  const input_tokens = estimatePromptTokens(request.messages)
  const output_tokens = request.max_tokens * (request.n ?? 1)
  return { tokens: input_tokens + output_tokens, cost: costOf(price, { input_tokens, output_tokens }) }
}
