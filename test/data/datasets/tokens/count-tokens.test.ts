import { expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { countTokens } from '../../../../shared/data/datasets/inspect-row.ts'
import { openTokenizer } from '../../../../shared/data/datasets/tokens/open-tokenizer.ts'

/**
 * The example of OpenAI's cookbook, "How to count tokens with tiktoken", section 6, without the names of its four examples. It
 * prints 129 tokens for gpt-4 (cl100k_base) and 124 for gpt-4o (o200k_base); the names are 14 of them: 1 each for being there,
 * and 2 or 3 for their text in both encodings.
 */
const example: Message[] = [
  'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
  'New synergies will help drive top-line growth.',
  'Things working well together will increase revenue.',
  "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
  "Let's talk later when we're less busy about how to do better.",
  "This late pivot means we don't have time to boil the ocean for the client deliverable.",
].map((content, index) => ({ role: index < 5 ? 'system' : 'user', content }))
const tokensOfNames = 14

test('chats are counted as OpenAI’s cookbook counts them', async () => {
  expect(countTokens(example, await openTokenizer('cl100k_base'))).toBe(129 - tokensOfNames)
  expect(countTokens(example, await openTokenizer('o200k_base'))).toBe(124 - tokensOfNames)
})

test('the estimate is not below either encoding for text of episodes', async () => {
  const texts = [
    'Thought: I need planks first.\nAction: craft 4 oak planks using 1 oak logs',
    'Inventory: [oak planks] (4) [stick] (2)\nCould not find enough items to craft minecraft:oak_fence',
  ]
  const [estimate, o200k, cl100k] = await Promise.all(
    (['estimate', 'o200k_base', 'cl100k_base'] as const).map(openTokenizer),
  )
  for (const text of texts) {
    expect(estimate?.ofText(text)).toBeGreaterThanOrEqual(o200k?.ofText(text) ?? Infinity)
    expect(estimate?.ofText(text)).toBeGreaterThanOrEqual(cl100k?.ofText(text) ?? Infinity)
  }
})

test('what looks like a special token is counted as the text it is', async () => {
  const tokenizer = await openTokenizer('o200k_base')
  expect(tokenizer.ofText('<|endoftext|>')).toBeGreaterThan(1)
})

test('many texts are counted as each is by itself', async () => {
  const tokenizer = await openTokenizer('cl100k_base')
  const texts = Array.from({ length: 5000 }, (_, index) => `text ${index}`)
  const first = texts.map((text) => tokenizer.ofText(text))
  expect(texts.map((text) => tokenizer.ofText(text))).toEqual(first)
  expect(tokenizer.ofText('text')).toBeLessThan(first[10] ?? 0)
})

test('a message is counted by each tokenizer for itself', async () => {
  const [estimate, o200k] = await Promise.all((['estimate', 'o200k_base'] as const).map(openTokenizer))
  if (!estimate || !o200k) throw new Error('not opened')
  expect(countTokens(example, estimate)).toBeGreaterThan(countTokens(example, o200k))
})
