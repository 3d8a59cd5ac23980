import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { readCompletion } from '../../../shared/play/models/codecs/read-completion.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { assembleCompletion } from '../../../shared/play/models/streams/assemble-completion.ts'
import { readStreamEvents } from '../../../shared/play/models/streams/read-stream-events.ts'
import { chatRequest, completion } from './chat-request.ts'
import { fakeClock } from './fake-clock.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'
import { scriptedServer } from './scripted-server.ts'

const usage = { prompt_tokens: 9, completion_tokens: 3 }

function toStream(chunks: readonly unknown[], end = 'data: [DONE]\n\n'): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + end
}

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const counts = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage }
const hello = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'hel' }),
  chunk({ content: 'lo' }),
  chunk({}, { finish_reason: 'stop' }),
  counts,
]

const stream = (text: string) => () =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } })

describe('an endpoint that answers only as a stream', () => {
  it('is asked for one with its counts, and its answer is that of a whole body', async () => {
    const { model, seen } = scriptedModels([stream(toStream(hello))], { stream: true })
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest(), { meter })
    expect(answer).toMatchObject({
      choices: [{ content: 'hello', finish_reason: 'stop' }],
      input_tokens: 9,
      output_tokens: 3,
    })
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 9+3'])
    expect(seen[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(seen[0]?.headers.get('accept')).toBe('text/event-stream')
  })

  it('may answer with a whole body all the same', async () => {
    const { model } = scriptedModels([() => Response.json(completion('hello'))], { stream: true })
    const { choices } = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(choices[0]?.content).toBe('hello')
  })

  it('that knows no option for counts is asked without it', async () => {
    const refuse = (body: object) =>
      'stream_options' in body
        ? Response.json(
            { error: { message: 'Extra inputs are not permitted: stream_options' } },
            { status: 422 },
          )
        : stream(toStream(hello))()
    const { model, seen } = scriptedModels([refuse], { stream: true })
    for (let call = 0; call < 2; call++) await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(seen.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
  })

  test.each([
    ['is broken off', toStream(hello.slice(0, 3), ''), 'ended before its answer was whole'],
    ['never begins', ': keep alive\n\n', 'ended before its answer was whole'],
    ['ends before a choice', 'data: {"id":"x"}\n\n', 'ended before its answer was whole'],
    [
      'holds a broken event',
      `${toStream(hello.slice(0, 2), '')}data: {"cho\n\n`,
      'an event that is not JSON',
    ],
    [
      'ends with an error',
      toStream([...hello.slice(0, 2), { error: { message: 'CUDA out of memory' } }], ''),
      'CUDA out of memory',
    ],
  ])('whose stream %s gives no answer, and is paid', async (_what, text, words) => {
    const { model } = scriptedModels([stream(text)], { stream: true, max_retries: 0 })
    const meter = recordingMeter()
    await expect(model.complete(chatRequest(), { meter })).rejects.toThrow(words)
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })
})

test.each([
  ['stands still', { idle_timeout: 0.2 }, 'stood still for 0.2 s'],
  ['is too long', { max_answer_bytes: 1024 }, 'longer than 1024 bytes'],
])('a stream that %s ends at the limits of its endpoint', async (_what, limits, words) => {
  const server = await scriptedServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      toStream(
        [...hello.slice(0, 2), chunk({ content: 'x'.repeat('max_answer_bytes' in limits ? 2000 : 1) })],
        '',
      ),
    )
  })
  const endpoint = { kind: 'openai', base_url: server.baseUrl, stream: true, max_retries: 0, ...limits }
  const models = openModels(new Map([['mine', endpointSchema.parse(endpoint)]]), { clock: fakeClock() })
  const asked = models.model('mine').complete(chatRequest(), { meter: recordingMeter() })
  await expect(asked).rejects.toThrow(words)
  await models.close()
})

test('a stream that nobody asked for names the setting', async () => {
  const { model } = scriptedModels([stream(toStream(hello))], { max_retries: 0 })
  await expect(model.complete(chatRequest(), { meter: recordingMeter() })).rejects.toThrow(
    'set stream to true',
  )
})

describe('the chunks of a stream', () => {
  const cut = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
  const call = fc.record({
    name: fc.stringMatching(/^[a-z]{1,8}$/),
    item: fc.string({ unit: 'binary' }),
    extra: fc.constantFrom({}, { extra_content: { google: { thought_signature: 'c2lnbmVk' } } }),
  })
  const message = fc.record({
    content: fc.string({ unit: 'binary', minLength: 1 }),
    reasoning_content: fc.string({ unit: 'binary', minLength: 1 }),
    calls: fc.array(call, { maxLength: 3 }),
  })

  it('join to the answer that a body without a stream would be, however they are cut', () => {
    const choices = fc.array(message, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        choices,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('\n', '\r\n'),
        (given, size, line) => {
          const whole = {
            choices: given.map(({ calls, ...texts }, index) => ({
              index,
              message: {
                ...texts,
                ...(calls.length > 0 && {
                  tool_calls: calls.map(({ name, item, extra }) => ({
                    ...extra,
                    function: { name, arguments: JSON.stringify({ item }) },
                  })),
                }),
              },
              finish_reason: 'stop',
            })),
            usage,
          }
          const deltas = given.flatMap(({ calls, content, reasoning_content }, index) => [
            ...cut(reasoning_content, size).map((text) => [index, { reasoning_content: text }] as const),
            ...cut(content, size).map((text) => [index, { content: text }] as const),
            ...calls.flatMap(({ name, item, extra }, at) => [
              [
                index,
                { tool_calls: [{ index: at, id: `c${at}`, function: { name, arguments: '' }, ...extra }] },
              ] as const,
              ...cut(JSON.stringify({ item }), size).map(
                (text) => [index, { tool_calls: [{ index: at, function: { arguments: text } }] }] as const,
              ),
            ]),
          ])
          const chunks = [
            ...deltas.map(([index, delta]) => chunk(delta, { index })),
            ...given.map((_, index) => chunk({}, { index, finish_reason: 'stop' })),
            counts,
          ]
          const events = readStreamEvents(toStream(chunks).replaceAll('\n', line))
          const joined = 'wrong' in events ? events : assembleCompletion(events)
          if ('wrong' in joined) throw new Error(joined.wrong)
          expect(readCompletion(joined.body, true)).toEqual(readCompletion(whole, true))
        },
      ),
    )
  })

  test.each([
    [
      'share one index',
      [
        { index: 0, id: 'a' },
        { index: 0, id: 'b' },
      ],
    ],
    ['have no index', [{ id: 'a' }, { id: 'b' }]],
  ])('keep calls apart that %s', (_what, calls) => {
    const deltas = calls.map((each) =>
      chunk({ tool_calls: [{ ...each, function: { name: 'get', arguments: '{}' } }] }),
    )
    const events = readStreamEvents(toStream([...deltas, chunk({}, { finish_reason: 'tool_calls' })]))
    const joined = 'wrong' in events ? events : assembleCompletion(events)
    expect(joined).toMatchObject({
      body: { choices: [{ message: { tool_calls: [{ id: 'a' }, { id: 'b' }] } }] },
    })
  })

  test('keep log-probabilities, token ids and the items of thoughts', () => {
    const piece = (text: string, id: number) =>
      chunk(
        { reasoning_details: [{ type: 'reasoning.text', index: 0, text }] },
        { logprobs: { content: [{ token: text, logprob: -1 }] }, token_ids: [id] },
      )
    const events = readStreamEvents(
      toStream([piece('a', 1), piece('b', 2), chunk({}, { finish_reason: 'stop' })]),
    )
    const joined = 'wrong' in events ? events : assembleCompletion(events)
    expect(joined).toMatchObject({
      body: {
        choices: [
          {
            message: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ab' }] },
            logprobs: { content: [{ token: 'a' }, { token: 'b' }] },
            token_ids: [1, 2],
          },
        ],
      },
    })
  })
})
