import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tidyText } from '../../../shared/play/models/codecs/read-completion.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

/** What a call makes of one choice on the wire. */
async function read(choice: object) {
  const body = { ...completion(''), choices: [choice] }
  const { model } = scriptedModels([() => Response.json(body)])
  const meter = recordingMeter()
  const { choices } = await model.complete(chatRequest(), { meter })
  expect(meter.events).toEqual(['reserve call-0', 'settle call-0 9+3'])
  return choices[0]
}

describe('a choice', () => {
  it.each([
    ['that calls tools and says nothing is empty', { content: null, tool_calls: [{ id: 'call-1' }] }, ''],
    ['whose model thought and said nothing is empty', { content: null, reasoning_content: 'Hm.' }, ''],
    ['with an empty text is empty', { content: '' }, ''],
    [
      'in parts has their text',
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'Action: ' },
          { type: 'text', text: 'x' },
          { type: 'text', text: null },
        ],
      },
      'Action: x',
    ],
  ])('%s', async (_what, message, content) => {
    expect(await read({ index: 0, message, finish_reason: 'stop' })).toMatchObject({
      content,
      finish_reason: 'stop',
    })
  })

  it.each([
    ['no content', { content: null, refusal: 'I cannot help.' }, 'I cannot help.'],
    ['an empty content', { content: '', refusal: 'No.' }, 'No.'],
  ])('that refuses with %s has the text of the refusal, and says so', async (_what, message, content) => {
    const choice = { index: 0, message, finish_reason: 'stop' }
    expect(await read(choice)).toEqual({ content, finish_reason: 'stop', refused: true })
  })

  it.each([
    [{ content: null, reasoning_content: 'Action: look' }, 'stop', { reasoned: 1, called: 0 }],
    [{ content: ' ', reasoning: 'Action: look' }, 'stop', { reasoned: 1, called: 0 }],
    [{ content: null, tool_calls: [{ id: 'call-1' }] }, 'tool_calls', { reasoned: 0, called: 1 }],
    [{ content: null, reasoning: 'Hm.', tool_calls: [{ id: 'a' }] }, 'stop', { reasoned: 0, called: 1 }],
    [{ content: null, reasoning_content: 'Hm.' }, 'length', undefined],
    [{ content: '' }, 'stop', undefined],
    [{ content: 'Action: look', reasoning_content: 'Hm.' }, 'stop', undefined],
  ])('says where its tokens went if it is empty: %j, %s', async (message, finish_reason, silent) => {
    const { model } = scriptedModels([
      () => Response.json({ ...completion(''), choices: [{ index: 0, message, finish_reason }] }),
    ])
    const answer = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(answer.silent).toEqual(silent)
  })

  it('that says something is no refusal, whatever else stands there', async () => {
    const choice = { index: 0, message: { content: 'Action: look', refusal: null }, finish_reason: 'stop' }
    expect(await read(choice)).not.toHaveProperty('refused')
  })

  it.each(['content_filter', 'length', 'tool_calls', 'MAX_TOKENS', 'SAFETY', 'refusal'])(
    'without content that ended by %s is an answer that says so',
    async (finish_reason) => {
      const choice = { index: 0, message: { content: null }, finish_reason }
      expect(await read(choice)).toEqual({ content: '', finish_reason })
    },
  )

  it('without content beside others is left out and asked for again', async () => {
    const given = { index: 0, message: { content: 'here' }, finish_reason: 'stop' }
    const missing = { index: 1, message: { content: null }, finish_reason: 'stop' }
    const { model, seen } = scriptedModels([
      () => Response.json({ ...completion(''), choices: [given, missing] }),
      () => Response.json(completion('there')),
    ])
    const { choices } = await model.complete(chatRequest({ n: 2 }), { meter: recordingMeter() })
    expect(choices.map(({ content }) => content)).toEqual(['here', 'there'])
    expect(seen).toHaveLength(2)
  })

  it('that is broken text is made whole', async () => {
    // Over HTTP as escapes, since UTF-8 has no lone surrogates.
    const body = JSON.stringify(completion('CONTENT')).replace('CONTENT', 'a\\ud800b\\u0000c\\udc00')
    const { model } = scriptedModels([
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    ])
    const { choices } = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(choices[0]?.content).toBe('a\uFFFDbc\uFFFD')
  })

  it('that goes on and on is cut, and says so', async () => {
    const choice = { index: 0, message: { content: 'loop '.repeat(40_000) }, finish_reason: 'stop' }
    const read100 = await read(choice)
    expect(read100?.content).toBe('loop '.repeat(20_000))
    expect(read100?.finish_reason).toBe('length')
  })
})

const json = (body: unknown) => () => Response.json(body)
const text = (type: string, body: string) => () => new Response(body, { headers: { 'content-type': type } })
const saying = (message: object, finish_reason: string | null = 'stop') =>
  json({ ...completion(''), choices: [{ index: 0, message, finish_reason }] })
const counting = (usage: object) => json(completion('x', usage))

describe.each([
  ['no choices', json({ ...completion(''), choices: [] }), 'not a chat completion'],
  [
    'a choice without a message',
    json({ ...completion(''), choices: [{ index: 0, finish_reason: 'stop' }] }),
    'not a chat completion',
  ],
  [
    'a message that is null',
    json({ ...completion(''), choices: [{ message: null }] }),
    'not a chat completion',
  ],
  ['a content that is a number', saying({ content: 5 }), 'not a chat completion'],
  ['content null, no refusal and no tool calls', saying({ content: null }), 'without content'],
  ['a message without any field', saying({}, null), 'without content'],
  ['a model that failed half way', saying({ content: 'Act' }, 'error'), 'half way'],
  ['an error object', json({ error: { message: 'No provider is up.', code: 502 } }), 'No provider is up.'],
  ['an error that is a text', json({ error: 'overloaded', choices: [] }), 'overloaded'],
  ['a page', text('text/html', '<!doctype html><h1>Bad gateway</h1>'), 'Bad gateway'],
  ['a page that says it is JSON', text('application/json', '<html>'), 'not the JSON'],
  ['a stream', text('text/event-stream', 'data: {"choices":[]}\n\ndata: [DONE]\n\n'), 'stream of events'],
  ['a stream that says it is JSON', text('application/json', 'data: {}\n\n'), 'not the JSON'],
  ['nothing', text('text/plain', ''), 'is empty'],
  ['null', json(null), 'is empty'],
  ['a negative number of tokens', counting({ prompt_tokens: -1, completion_tokens: 3 }), 'cannot be'],
  ['a million million tokens', counting({ prompt_tokens: 9, completion_tokens: 1e12 }), 'cannot be'],
  [
    'a prompt of a million million tokens',
    counting({ prompt_tokens: 1e12, completion_tokens: 3 }),
    'cannot be',
  ],
  [
    'a text in place of a number of tokens',
    counting({ prompt_tokens: '9', completion_tokens: 3 }),
    'cannot be',
  ],
  ['half a token', counting({ prompt_tokens: 9, completion_tokens: 0.5 }), 'cannot be'],
])('a 200 that holds %s', (_what, answer, said) => {
  it('is counted as paid and asked for again', async () => {
    const { model } = scriptedModels([answer, json(completion('at last'))])
    const meter = recordingMeter()
    const { choices } = await model.complete(chatRequest(), { meter })
    expect(choices).toEqual([{ content: 'at last', finish_reason: 'stop' }])
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 9+3'])
  })

  it('is an error that may pass when all tries brought no other, and never an empty answer', async () => {
    const { model, seen } = scriptedModels([answer], { max_retries: 2 })
    const call = model.complete(chatRequest(), { meter: recordingMeter() })
    await expect(call).rejects.toMatchObject({ transient: true, endpointStatus: 200 })
    await expect(call).rejects.toThrow(said)
    expect(seen).toHaveLength(3)
  })
})

it('a message without content is no matter of the address', async () => {
  const { model } = scriptedModels([saying({ content: null })], { max_retries: 0 })
  const call = model.complete(chatRequest(), { meter: recordingMeter() })
  await expect(call).rejects.toThrow('a parser of reasoning')
  await expect(call).rejects.not.toThrow('base_url')
})

describe('tidyText', () => {
  it('gives well-formed text without NUL, and changes none that is so already', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.integer({ min: 0, max: 0xffff })),
        (text, codes) => {
          const odd = text + String.fromCharCode(...codes)
          const tidy = tidyText(odd)
          expect(tidy.text.isWellFormed()).toBe(true)
          expect(tidy.text).not.toContain('\0')
          expect(tidy.cut).toBe(false)
          expect(tidyText(tidy.text).text).toBe(tidy.text)
          if (odd.isWellFormed() && !odd.includes('\0')) expect(tidy.text).toBe(odd)
        },
      ),
    )
  })

  it('cuts between characters, never inside one', () => {
    expect(tidyText('a'.repeat(100_000))).toEqual({ text: 'a'.repeat(100_000), cut: false })
    expect(tidyText(`${'a'.repeat(99_999)}😀`)).toEqual({ text: 'a'.repeat(99_999), cut: true })
    expect(tidyText(`${'a'.repeat(99_998)}😀b`)).toEqual({ text: `${'a'.repeat(99_998)}😀`, cut: true })
  })
})
