import { expect, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import type { Picture } from '../../../shared/core/contracts/picture.ts'
import { readCompletion } from '../../../shared/play/models/codecs/read-completion.ts'
import {
  textAlone,
  wireMessages,
  withoutEmptyAnswers,
} from '../../../shared/play/models/codecs/wire-messages.ts'
import type { ChoiceTokens } from '../../../shared/play/models/tokens/read-tokens.ts'
import { recordTokens } from '../../../shared/play/models/tokens/record-tokens.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'get', arguments: '{}' } })
const result = (id: string, pictures: Picture[] = []): PromptMessage => ({
  role: 'tool',
  content: `result of ${id}`,
  tool_call_id: id,
  ...(pictures.length > 0 && { pictures }),
})
const picture = (name: string): Picture => ({
  type: 'blob',
  sha256: name,
  media_type: 'image/png',
  width: 8,
  height: 8,
})

test('pictures of results come behind the last result of the answer, in their order', async () => {
  const prompt: PromptMessage[] = [
    { role: 'user', content: 'task' },
    { role: 'assistant', content: '', tool_calls: [call('a'), call('b'), call('c')] },
    result('a', [picture('1')]),
    result('b'),
    result('c', [picture('2'), picture('3')]),
    { role: 'assistant', content: '', tool_calls: [call('d'), call('e')] },
    result('d', [picture('4')]),
    result('e'),
  ]
  const wired = await wireMessages(prompt, async ({ sha256 }) => ({ url: sha256 }))
  const shown = wired.map(({ role, content }) =>
    Array.isArray(content)
      ? content.map((part) => (part as { image_url: { url: string } }).image_url.url)
      : role,
  )
  expect(shown).toEqual([
    ...['user', 'assistant', 'tool', 'tool', 'tool', ['1', '2', '3']],
    ...['assistant', 'tool', 'tool', ['4']],
  ])
})

test('an earlier answer without text and calls is sent as a word, and other turns as they are', () => {
  const others: PromptMessage[] = [
    { role: 'user', content: '' },
    { role: 'assistant', content: '', tool_calls: [call('a')] },
    result('a'),
  ]
  expect(withoutEmptyAnswers(others)).toBe(others)
  expect(withoutEmptyAnswers([...others, { role: 'assistant', content: ' ' }])).toEqual([
    ...others,
    { role: 'assistant', content: '(empty)' },
  ])
})

test('what Gemini attaches to its calls goes back with them', async () => {
  const extra_content = { google: { thought_signature: 'c2lnbmVk' } }
  const tool_calls = [{ ...call('x'), extra_content }, call('y')]
  const body = {
    choices: [{ message: { content: null, tool_calls }, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 9, completion_tokens: 3 },
  }
  const read = readCompletion(body, true)
  const [choice] = 'wrong' in read ? [] : read.choices
  expect(choice?.thinking).toEqual({ text: '', field: 'extra_content', details: [extra_content, null] })
  const { thinking, tool_calls: calls } = choice as NonNullable<typeof choice>
  const answer: PromptMessage = { role: 'assistant', content: '', ...(calls && { tool_calls: calls }) }
  const [wired] = await wireMessages([{ ...answer, ...(thinking && { thinking }) }], textAlone)
  expect(wired).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [{ ...calls?.[0], extra_content }, calls?.[1]],
  })
})

test('an answer of calls without ids and log-probabilities is named, as one of text is', () => {
  const recorded = { call: 'c', model: 'm', sampler: {}, sent: null, vocabulary: null }
  const tokens: ChoiceTokens = {
    source: 'vllm',
    ids: null,
    logprobs: null,
    prompt_ids: [1],
    version: null,
    warnings: [],
  }
  const warnings = (choice: object) => recordTokens(recorded, [{ content: '', tokens, ...choice }])?.warnings
  expect(warnings({ tool_calls: [call('a')] })).toEqual([expect.stringContaining('neither ids nor')])
  expect(warnings({ content: 'Go.' })).toEqual([expect.stringContaining('neither ids nor')])
  expect(warnings({})).toEqual([])
})

test.each([
  [{}, { code: 'estimated_usage' }],
  [{ usage: { prompt_tokens: 9, completion_tokens: 3 } }, undefined],
])('an endpoint that answers with %j is named if it states no tokens', async (usage, warning) => {
  const { usage: _, ...body } = completion('Action: look') as { usage?: object }
  const { model } = scriptedModels([() => Response.json({ ...body, ...usage })])
  const meter = recordingMeter()
  const warned: object[] = []
  await model.complete(chatRequest(), { meter: { ...meter, warned: (each) => warned.push(each) } })
  expect(warned[0]).toEqual(warning && expect.objectContaining({ ...warning, endpoint: 'mine' }))
})
