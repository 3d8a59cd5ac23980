import { expect, test } from 'vitest'
import { pictureTokens } from '../../../shared/play/models/picture-tokens.ts'

const square = { width: 1024, height: 1024 }
const tall = { width: 2048, height: 4096 }
const screen = { width: 1280, height: 720 }

test.each([
  // The examples of OpenAI's guide.
  ['gpt-4o', square, 765],
  ['gpt-4o', tall, 1105],
  ['gpt-4o-2024-11-20', { width: 128, height: 64 }, 255],
  ['openai/gpt-4.1-mini', square, 1659],
  // As the API billed them, by users' measurements.
  ['gpt-4o-mini-2024-07-18', { width: 128, height: 64 }, 8500],
  ['gpt-4.1-mini', { width: 4000, height: 1474 }, 2489],
  ['gpt-5-mini', screen, 1491],
  ['o3', screen, 975],
  // Anthropic's: 1,092 pixels a side are about 1,590 tokens.
  ['claude-sonnet-4-5', { width: 1092, height: 1092 }, 1590],
  ['gemini-2.5-flash', { width: 960, height: 540 }, 516],
  ['Qwen/Qwen2-VL-7B-Instruct', { width: 280, height: 280 }, 100],
])('%s takes %j as %i tokens', (model, size, tokens) => {
  expect(pictureTokens(size, model)).toBe(tokens)
})

test('a model of no known family, and a picture of no known size, count on the high side', () => {
  expect(pictureTokens(screen, 'my-own')).toBeGreaterThanOrEqual(pictureTokens(screen, 'llama3.2-vision'))
  expect(pictureTokens(screen)).toBe(2880)
  expect(pictureTokens({}, 'gpt-4o')).toBeGreaterThan(0)
})
