import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { Picture } from '../../../shared/core/contracts/picture.ts'
import { fitPrompt } from '../../../shared/play/methods/prompts/fit-prompt.ts'
import { estimatePromptTokens } from '../../../shared/play/models/estimate-tokens.ts'

const head: Message[] = [
  { role: 'system', content: 'instructions' },
  { role: 'user', content: 'first observation' },
]
const turns = (texts: string[]): Message[] =>
  texts.flatMap((text): Message[] => [
    { role: 'assistant', content: `Action: ${text}` },
    { role: 'user', content: `Observation: ${text}` },
  ])

const within = (max_prompt_tokens: number) => ({ id: 'gpt-4o', max_prompt_tokens })

test('a prompt that fits stays as it is', () => {
  const all = turns(['a', 'b'])
  expect(fitPrompt(head, all, within(10_000))).toEqual({
    messages: [...head, ...all],
    cutPairs: 0,
    cutPictures: 0,
  })
})

test('the oldest pairs go first, whole, and no more than must; the head and the newest always stay', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 200 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 600 }),
      (texts, limit) => {
        const all = turns(texts)
        const { messages, cutPairs } = fitPrompt(head, all, within(limit))
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

const picture = (name: string): Picture => ({
  type: 'blob',
  sha256: name,
  media_type: 'image/png',
  width: 1280,
  height: 720,
})
const shown = (messages: readonly Pick<Message, 'pictures'>[]) =>
  messages.flatMap(({ pictures = [] }) => pictures.map(({ sha256 }) => sha256))

test('a prompt shows its newest pictures, wherever they are', () => {
  const first: Message[] = [{ role: 'user', content: 'start', pictures: [picture('0')] }]
  const all = turns(['a', 'b']).map((message, index) =>
    message.role === 'user'
      ? { ...message, pictures: [picture(`${index}a`), picture(`${index}b`)] }
      : message,
  )
  const fitted = fitPrompt(first, all, { ...within(100_000), max_pictures: 3 })
  expect(shown(fitted.messages)).toEqual(['1b', '3a', '3b'])
  expect(fitted.cutPictures).toBe(2)
  expect(fitted.messages.map(({ content }) => content)).toEqual(
    [...first, ...all].map(({ content }) => content),
  )
  expect(shown(fitPrompt(first, all, within(100_000)).messages)).toEqual(['1a', '1b', '3a', '3b'])
  expect(shown(fitPrompt(first, all, { ...within(100_000), max_pictures: 0 }).messages)).toEqual([])
})

test('pictures count as the model counts them', () => {
  const all = turns(['a', 'b']).map((message) =>
    message.role === 'user' ? { ...message, pictures: [picture(message.content)] } : message,
  )
  // 1,105 tokens each for gpt-4o, 36,835 for gpt-4o-mini.
  const limit = 2500
  expect(fitPrompt(head, all, within(limit)).cutPairs).toBe(0)
  expect(fitPrompt(head, all, { ...within(limit), id: 'gpt-4o-mini' }).cutPairs).toBe(1)
})
