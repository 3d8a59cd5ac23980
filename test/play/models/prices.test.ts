import { expect, it } from 'vitest'
import { priceSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { estimatePromptTokens, estimateTokens } from '../../../shared/play/models/estimate-tokens.ts'
import { costOf, findPrice, upperBoundOf } from '../../../shared/play/models/prices.ts'
import { chatRequest } from './chat-request.ts'

it('estimates one token for three bytes of UTF-8, and four for each message', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('abcd')).toBe(2)
  expect(estimateTokens('漢字')).toBe(2)
  const messages = [
    { role: 'system' as const, content: 'abc' },
    { role: 'user' as const, content: 'abcdef' },
  ]
  expect(estimatePromptTokens(messages)).toBe(3 + (1 + 4) + (2 + 4))
  expect(estimatePromptTokens(messages)).toBe(14)
})

it('prices a call by its tokens and by the call', () => {
  expect(costOf({ input: 2, output: 8 }, { input_tokens: 1000, output_tokens: 500 })).toBeCloseTo(0.006, 12)
  expect(costOf({ input: 0, output: 0, request: 0.01 }, { input_tokens: 5, output_tokens: 5 })).toBe(0.01)
  expect(costOf(null, { input_tokens: 5, output_tokens: 5 })).toBeNull()
})

it('prices cached input apart where a price is stated, as any other where none is, and never below nothing', () => {
  const tokens = { input_tokens: 1000, cached_tokens: 800, output_tokens: 0 }
  expect(costOf({ input: 2, cached_input: 0.5, output: 8 }, tokens)).toBeCloseTo(0.0008, 12)
  expect(costOf({ input: 2, output: 8 }, tokens)).toBeCloseTo(0.002, 12)
  expect(costOf({ input: 2, cached_input: 0.5, output: 8 }, { ...tokens, cached_tokens: 5000 })).toBeCloseTo(
    0.0005,
    12,
  )
})

it('refuses a price of cached input above that of input: what was reserved might not cover the call', () => {
  expect(priceSchema.safeParse({ input: 1, cached_input: 2, output: 1 }).error?.issues[0]).toMatchObject({
    path: ['cached_input'],
  })
  expect(priceSchema.parse({ input: 1, cached_input: 1, output: 1 })).toMatchObject({ cached_input: 1 })
})

it('finds a price by the name of the model, then by *', () => {
  const prices = { small: { input: 1, output: 1 }, '*': { input: 9, output: 9 } }
  expect(findPrice(prices, 'small')?.input).toBe(1)
  expect(findPrice(prices, 'other')?.input).toBe(9)
  expect(findPrice({ small: { input: 1, output: 1 } }, 'constructor')).toBeNull()
  expect(findPrice(undefined, 'small')).toBeNull()
})

it('bounds a call by its prompt and the longest answer', () => {
  // 'Say hello.' is 10 bytes: 4 tokens, 4 for the message and 3 for the prompt.
  const bound = upperBoundOf(chatRequest({ max_tokens: 100 }), { input: 1, output: 10 })
  expect(bound.tokens).toBe(111)
  expect(bound.cost).toBeCloseTo((11 + 1000) / 1e6, 12)
  expect(upperBoundOf(chatRequest(), null).cost).toBeNull()
  expect(upperBoundOf(chatRequest({ prompt_tokens: 500 }), { input: 1, output: 10 })).toEqual({
    tokens: 600,
    cost: 1500 / 1e6,
  })
  expect(upperBoundOf(chatRequest({ n: 20 }), { input: 1, output: 10 })).toEqual({
    tokens: 11 + 2000,
    cost: (11 + 20_000) / 1e6,
  })
})
