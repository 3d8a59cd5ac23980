import { describe, expect, it, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import { chatRequest } from './chat-request.ts'
import { askProvider, called, response, said, sealed, tools } from './provider-bodies.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

describe('the Responses API', () => {
  it('gets a whole prompt without a conversation, and no field that it does not know', async () => {
    const messages: PromptMessage[] = [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Go.' },
    ]
    const { seen } = await askProvider(
      'openai-responses',
      response([said('hi')]),
      { messages, tools, stop: ['\n'], reasoning_effort: 'low', request: { reasoning: { summary: 'auto' } } },
      { parallel_tool_calls: false, model: 'gpt-test' },
    )
    expect(seen[0]?.url).toBe('http://127.0.0.1:9/v1/responses')
    expect(seen[0]?.body).toEqual({
      model: 'gpt-test',
      input: [
        { type: 'message', role: 'system', content: 'Rules.' },
        { type: 'message', role: 'user', content: 'Go.' },
      ],
      temperature: 1,
      top_p: 1,
      tools: [
        { type: 'function', name: 'get', description: 'Gets.', parameters: tools[0]?.schema, strict: false },
      ],
      parallel_tool_calls: false,
      max_output_tokens: 100,
      reasoning: { effort: 'low', summary: 'auto' },
      store: false,
      include: ['reasoning.encrypted_content'],
    })
  })

  it('counts cached and reasoning tokens within the others, and prices them once', async () => {
    const endpoint = { prices: { '*': { input: 1, cached_input: 0.1, output: 10 } } }
    const { answer } = await askProvider('openai-responses', response([said('hi')]), {}, endpoint)
    expect(answer).toMatchObject({
      input_tokens: 1000,
      cached_tokens: 400,
      output_tokens: 100,
      reasoning_tokens: 60,
      cost: (600 * 1 + 400 * 0.1 + 100 * 10) / 1e6,
    })
  })

  it('sends reasoning back as it came, in its place, before the call under the id of the prompt', async () => {
    const output = [sealed, { ...said('I take it.'), phase: 'commentary' }, called]
    const { answer } = await askProvider('openai-responses', response(output), { tools })
    const [choice] = answer.choices
    expect(choice).toMatchObject({ content: 'I take it.', finish_reason: 'tool_calls' })
    expect(choice?.tool_calls?.[0]?.function).toEqual({ name: 'get', arguments: '{"a":1}' })
    const { thinking, tool_calls } = choice ?? {}
    const turn = { role: 'assistant', content: 'I take it.', tool_calls, thinking } as PromptMessage
    const sent = async (messages: PromptMessage[]) =>
      (await askProvider('openai-responses', response([said('ok')]), { messages })).seen[0]?.body.input
    const items = [
      ...output.slice(0, 2),
      { type: 'function_call', call_id: 'call00000', name: 'get', arguments: '{"a":1}' },
    ]
    const taken: PromptMessage = { role: 'tool', tool_call_id: 'call00000', content: 'Got it.' }
    expect(await sent([turn, taken])).toEqual([
      ...items,
      { type: 'function_call_output', call_id: 'call00000', output: 'Got it.' },
    ])
    expect(await sent([{ ...turn, content: 'I' }])).toEqual([
      sealed,
      { type: 'message', role: 'assistant', content: 'I' },
      items[2],
    ])
    const { tool_calls: _, ...spoken } = turn
    expect(await sent([{ ...spoken, content: '' }])).toEqual([])
  })

  it('asks without encrypted reasoning once a model refused it', async () => {
    const refuse = (body: object) =>
      'include' in body
        ? Response.json(
            { error: { message: 'Encrypted content is not supported with this model.' } },
            { status: 400 },
          )
        : Response.json(response([said('hi')]))
    const { model, seen } = scriptedModels([refuse], { kind: 'openai-responses' })
    for (let call = 0; call < 2; call++) await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(seen.map(({ body }) => 'include' in body)).toEqual([true, false, false])
  })

  test.each([
    [
      'cut',
      response([sealed], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      'length',
    ],
    [
      'filtered',
      response([], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
      'content_filter',
    ],
  ])('an answer that is %s says so', async (_what, body, ending) => {
    const { answer } = await askProvider('openai-responses', body)
    expect(answer.choices).toMatchObject([{ content: '', finish_reason: ending }])
  })

  test.each([
    [
      'failed',
      response([], { status: 'failed', error: { code: 'server_error', message: 'broke' } }),
      'broke',
    ],
    ['still in progress', response([], { status: 'in_progress' }), 'in_progress'],
    ['empty', response([]), 'no message, call or reasoning'],
    ['that of a chat', { choices: [] }, 'not a response'],
  ])('a response that is %s gives no answer, and is paid', async (_what, body, words) => {
    const { model } = scriptedModels([() => Response.json(body)], {
      kind: 'openai-responses',
      max_retries: 0,
    })
    const meter = recordingMeter()
    await expect(model.complete(chatRequest(), { meter })).rejects.toThrow(words)
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })

  it('is asked once for each sample, and gives a refusal as one', async () => {
    const refusal = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    const { answer, seen } = await askProvider('openai-responses', response([refusal]), { n: 3 })
    expect(seen).toHaveLength(3)
    expect(answer.choices[0]).toEqual({ content: 'No.', finish_reason: 'stop', refused: true })
  })
})

test('OpenAI charges for writes of its cache from gpt-5.6 on', async () => {
  const details = { input_tokens_details: { cached_tokens: 400, cache_write_tokens: 500 } }
  const body = response([said('hi')], {
    usage: { input_tokens: 1000, ...details, output_tokens: 100, total_tokens: 1100 },
  })
  const costOf = async (model: string) => (await askProvider('openai-responses', body, { model })).answer.cost
  expect(await costOf('gpt-5.6-terra')).toBeCloseTo((500 + 500 * 1.25 + 1000) / 1e6, 9)
  expect(await costOf('gpt-5.5')).toBeCloseTo((1000 + 1000) / 1e6, 9)
})
