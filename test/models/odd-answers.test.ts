import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tidyText } from '../../shared/models/tidy-text.ts'
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
    ['without content is empty', { content: null }, ''],
    ['without any field is empty', {}, ''],
    ['with an empty text is empty', { content: '' }, ''],
    [
      'in parts has their text',
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'Action: ' },
          { type: 'text', text: 'x' },
        ],
      },
      'Action: x',
    ],
  ])('%s', async (_what, message, content) => {
    expect(await read({ index: 0, message, finish_reason: 'stop' })).toEqual({
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

  it('that says something is no refusal, whatever else stands there', async () => {
    const choice = { index: 0, message: { content: 'Action: look', refusal: null }, finish_reason: 'stop' }
    expect(await read(choice)).not.toHaveProperty('refused')
  })

  it('that was filtered is an answer that says so', async () => {
    const choice = { index: 0, message: { content: null }, finish_reason: 'content_filter' }
    expect(await read(choice)).toEqual({ content: '', finish_reason: 'content_filter' })
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

describe.each([
  ['no choices', { ...completion(''), choices: [] }],
  ['a choice without a message', { ...completion(''), choices: [{ index: 0, finish_reason: 'stop' }] }],
  ['a message that is null', { ...completion(''), choices: [{ message: null }] }],
  ['a content that is a number', { ...completion(''), choices: [{ message: { content: 5 } }] }],
  ['a negative number of tokens', completion('x', { prompt_tokens: -1, completion_tokens: 3 })],
])('an answer with %s', (_what, body) => {
  it('is lost, and an error', async () => {
    const { model } = scriptedModels([() => Response.json(body)])
    const meter = recordingMeter()
    await expect(model.complete(chatRequest(), { meter })).rejects.toThrow('not a chat completion')
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })
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
