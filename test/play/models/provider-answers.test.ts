import Anthropic from '@anthropic-ai/sdk'
import { OpenAI } from 'openai'
import { describe, expect, it, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { messagesServer, responsesServer } from '../../support/provider-servers.ts'
import { chatRequest } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const anthropicError = (status: number, type: string, text: string) => () =>
  Response.json({ type: 'error', error: { type, message: text } }, { status })

test.each([
  [
    'overloaded',
    anthropicError(529, 'overloaded_error', 'Overloaded'),
    { transient: true, failure: 'other' },
  ],
  ['a wrong key', anthropicError(401, 'authentication_error', 'invalid x-api-key'), { failure: 'refused' }],
  [
    'no credit',
    anthropicError(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    { failure: 'refused', transient: false },
  ],
  [
    'too long a prompt',
    anthropicError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    { failure: 'invalid', transient: false },
  ],
  ['an unknown model', anthropicError(404, 'not_found_error', 'model: claude-nope'), { failure: 'refused' }],
])('a provider that is %s fails as endpoints of other kinds do', async (_what, answer, wanted) => {
  for (const kind of ['anthropic', 'openai-responses', 'openai']) {
    const { model } = scriptedModels([answer], { kind, max_retries: 0 })
    const meter = recordingMeter()
    await expect(model.complete(chatRequest(), { meter })).rejects.toMatchObject(wanted)
    expect(meter.events).toEqual(['reserve call-0', 'release call-0'])
  }
})

test.each([
  ['anthropic', anthropicError(400, 'invalid_request_error', 'Output blocked by content filtering policy')],
  [
    'openai-responses',
    () =>
      Response.json(
        {
          error: {
            code: 'invalid_prompt',
            message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
          },
        },
        { status: 400 },
      ),
  ],
])('a filter of %s is an empty answer that is paid', async (kind, answer) => {
  const { model } = scriptedModels([answer], { kind })
  const { choices } = await model.complete(chatRequest(), { meter: recordingMeter() })
  expect(choices).toEqual([{ content: '', finish_reason: 'content_filter' }])
})

describe("the providers' own clients", () => {
  const open = (endpoint: object) => {
    const models = openModels(new Map([['mine', endpointSchema.parse(endpoint)]]))
    return models.model('mine')
  }
  const request = chatRequest({ messages: [{ role: 'user', content: 'Say hello.' }] })

  it('read the Responses server of these tests as we do', async () => {
    const server = await responsesServer()
    const { choices } = await open({ kind: 'openai-responses', base_url: server.baseUrl }).complete(request, {
      meter: recordingMeter(),
    })
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'none' })
    const { output_text } = await client.responses.create({ ...server.bodies[0], stream: false } as never)
    expect(choices[0]?.content).toBe(output_text)
  })

  it('read the Messages server of these tests as we do, whole and streamed', async () => {
    const server = await messagesServer()
    const client = new Anthropic({ baseURL: server.baseUrl, apiKey: 'none' })
    for (const stream of [false, true]) {
      const { choices } = await open({ kind: 'anthropic', base_url: server.baseUrl, stream }).complete(
        request,
        { meter: recordingMeter() },
      )
      const { stream: _, ...body } = server.bodies.at(-1) ?? {}
      const read = stream
        ? await client.messages.stream(body as never).finalMessage()
        : await client.messages.create({ ...body, stream: false } as never)
      const text = read.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      expect(choices[0]?.content).toBe(text)
    }
  })
})
