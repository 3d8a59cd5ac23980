import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../shared/contracts/message.ts'
import { fitPrompt } from '../../shared/methods/prompts/fit-prompt.ts'
import { estimatePromptTokens } from '../../shared/models/estimate-tokens.ts'

const head: Message[] = [
  { role: 'system', content: 'instructions' },
  { role: 'user', content: 'first observation' },
]
const turns = (texts: string[]): Message[] =>
  texts.flatMap((text): Message[] => [
    { role: 'assistant', content: `Action: ${text}` },
    { role: 'user', content: `Observation: ${text}` },
  ])

test('a prompt that fits stays as it is', () => {
  const all = turns(['a', 'b'])
  expect(fitPrompt(head, all, 10_000)).toEqual({ messages: [...head, ...all], cutPairs: 0 })
})

test('the oldest pairs go first, whole, and no more than must; the head and the newest always stay', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 200 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 600 }),
      (texts, limit) => {
        const all = turns(texts)
        const { messages, cutPairs } = fitPrompt(head, all, limit)
        expect(messages).toEqual([...head, ...all.slice(cutPairs * 2)])
        const isLeast = cutPairs >= texts.length - 1
        if (!isLeast) expect(estimatePromptTokens(messages)).toBeLessThanOrEqual(limit)
        expect(cutPairs).toBeLessThanOrEqual(Math.max(0, texts.length - 1))
        if (cutPairs > 0) {
          expect(estimatePromptTokens([...head, ...all.slice((cutPairs - 1) * 2)])).toBeGreaterThan(limit)
        }
      },
    ),
  )
})
