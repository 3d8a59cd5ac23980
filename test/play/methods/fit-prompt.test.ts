import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message, PromptMessage } from '../../../shared/core/contracts/message.ts'
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

test('results of the newest answer are left out, the oldest first, where it alone is too long', () => {
  const said: PromptMessage = { role: 'assistant', content: 'Both.' }
  const result = (id: number): PromptMessage => ({
    role: 'tool',
    tool_call_id: `call${id}`,
    content: `${id} `.repeat(500),
    pictures: [picture(`${id}`)],
  })
  const results = [0, 1, 2, 3].map(result)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12_000 }), (limit) => {
      const { messages, cutPairs } = fitPrompt(head, [...turns(['a']), said, ...results], within(limit))
      const shownResults = messages.filter(({ role }) => role === 'tool')
      const isKept = shownResults.map(({ content }, id) => content === results[id]?.content)
      expect(shownResults.map(({ tool_call_id }) => tool_call_id)).toEqual([
        'call0',
        'call1',
        'call2',
        'call3',
      ])
      expect(isKept).toEqual(isKept.toSorted((left, right) => Number(left) - Number(right)))
      expect(isKept.at(-1)).toBe(true)
      if (isKept.includes(false)) expect(cutPairs).toBe(1)
      if (isKept[2]) expect(estimatePromptTokens(messages, 'gpt-4o')).toBeLessThanOrEqual(limit)
    }),
  )
})
