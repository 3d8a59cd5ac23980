import type { Price, Prices } from '../../core/contracts/endpoint-configuration.ts'
import type { UpperBound } from '../../core/contracts/meter.ts'
import { nanoPerDollar } from '../../core/contracts/money.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import type { ChatRequest } from './chat-model.ts'
import { estimatePromptTokens, estimateToolTokens } from './estimate-tokens.ts'

type TokenField = 'input_tokens' | 'cached_tokens' | 'output_tokens'

const free: Prices = { '*': { input: 0, output: 0 } }

export function simulatedPrices(endpoint: { prices?: Prices | undefined }): Prices {
  return endpoint.prices ?? free
}

export function findPrice(prices: Prices | undefined, model: string): Price | null {
  if (prices === undefined) return null
  if (Object.hasOwn(prices, model)) return prices[model] ?? null
  return Object.hasOwn(prices, '*') ? (prices['*'] ?? null) : null
}

/** Prices are stated per million tokens, to the millionth of a dollar: whole trillionths per token. */
const picoPerDollar = 1e12

/**
 * The cost of a call in US dollars, rounded up to a billionth; null without a price. Money is rounded only here: see
 * {@link addCosts}.
 */
export function costOf(
  price: Price | null,
  { input_tokens, cached_tokens = 0, output_tokens }: Pick<Usage, TokenField>,
): number | null {
  if (price === null) return null
  const { input, cached_input = input, output } = price
  const cached = Math.min(cached_tokens, input_tokens)
  const each = (perMillion: number) => Math.round(perMillion * (picoPerDollar / 1_000_000))
  const pico =
    (input_tokens - cached) * each(input) +
    cached * each(cached_input) +
    output_tokens * each(output) +
    Math.round((price.request ?? 0) * picoPerDollar)
  return Math.ceil(pico / (picoPerDollar / nanoPerDollar)) / nanoPerDollar
}

export function spentOnInput(price: Price | null, input_tokens: number) {
  const tokens = { input_tokens, output_tokens: 0 }
  return { ...tokens, cost: costOf(price, tokens) }
}

/**
 * The upper bound of a call's usage: its prompt, counted or else estimated on the high side and none of it cached,
 * and `n` answers of `max_tokens`.
 */
export function upperBoundOf(request: ChatRequest, price: Price | null): UpperBound {
  const input_tokens = promptTokensOf(request)
  const output_tokens = request.max_tokens * (request.n ?? 1)
  return { tokens: input_tokens + output_tokens, cost: costOf(price, { input_tokens, output_tokens }) }
}

export function promptTokensOf({ messages, model, prompt_tokens, tools }: ChatRequest): number {
  return (prompt_tokens ?? estimatePromptTokens(messages, model)) + estimateToolTokens(tools)
}
