import { OpenAI } from 'openai'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createSimulatedApp,
  type SimulatedServerSettings,
  startSimulatedServer,
} from '../../local/simulated-server.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../shared/play/simulated/open-simulated-models.ts'
import { chatRequest } from '../play/models/chat-request.ts'
import { fakeClock } from '../play/models/fake-clock.ts'
import { recordingMeter } from '../play/models/recording-meter.ts'

const messages = [
  { role: 'user' as const, content: 'Valid actions: go north, go south, wait here, look around' },
]

async function start(settings: SimulatedServerSettings = {}) {
  const server = await startSimulatedServer({ port: 0, ...settings })
  onTestFinished(() => server.close())
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'none', maxRetries: 0 })
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: server.baseUrl,
    call_log_url: server.callLogUrl,
    max_retries: 50,
  })
  const models = openModels(new Map([['mine', configuration]]), { environment: {}, clock: fakeClock() })
  return { server, client, models }
}

describe('the simulated server', () => {
  it('says what the simulated endpoint says in process', async () => {
    const { models } = await start({ skill: 0.4, seed: 3 })
    const inProcess = endpointSchema.parse({ kind: 'simulated', skill: 0.4, seed: 3 })
    const local = openModels(new Map([['mine', inProcess]]), { simulated: openSimulatedModels })
    for (const seed of [1, 2, 3]) {
      const request = chatRequest({ messages, seed, n: 3 })
      const [far, near] = await Promise.all(
        [models, local].map((pool) => pool.model('mine').complete(request, { meter: recordingMeter() })),
      )
      expect(far?.choices).toEqual(near?.choices)
      expect(far?.output_tokens).toBe(near?.output_tokens)
    }
    const meter = recordingMeter()
    const texts = ['go north', 'wait here']
    const [farVectors, nearVectors] = await Promise.all(
      [models, local].map((pool) => pool.embedding('mine').embed({ model: 'm', texts }, { meter })),
    )
    expect(farVectors).toEqual({ ...nearVectors, cost: null })
    const [farScore, nearScore] = await Promise.all(
      [models, local].map((pool) => pool.scorer('mine').score({ model: 'm', messages }, { meter })),
    )
    expect(farScore).toEqual({ ...nearScore, cost: null })
  })

  it('gives n choices that differ, and the same ones as a stream', async () => {
    const { client } = await start()
    const body = { model: 'any', messages, n: 8, seed: 5 }
    const whole = await client.chat.completions.create(body)
    const texts = whole.choices.map(({ message }) => message.content)
    expect(texts).toHaveLength(8)
    expect(new Set(texts).size).toBeGreaterThan(1)
    const streamed = Array.from({ length: 8 }, () => '')
    let usage: unknown = null
    const stream = await client.chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) {
      usage = chunk.usage ?? usage
      for (const { index, delta } of chunk.choices) streamed[index] += delta.content ?? ''
    }
    expect(streamed).toEqual(texts)
    expect(usage).toEqual(whole.usage)
  })

  it('draws a new sample for a prompt that is repeated without a seed, and the same one under a seed', async () => {
    const { client } = await start({ skill: 0.5 })
    const ask = async (settings: object) => {
      const answers = Array.from({ length: 12 }, () =>
        client.chat.completions.create({ model: 'any', messages, ...settings }),
      )
      return new Set((await Promise.all(answers)).map(({ choices }) => choices[0]?.message.content)).size
    }
    expect(await ask({})).toBeGreaterThan(1)
    expect(await ask({ seed: 4 })).toBe(1)
    expect(await ask({ temperature: 0 })).toBe(1)
  })

  it('gives the same vectors to a client that asks for base64 as to one that asks for numbers', async () => {
    const { client } = await start()
    const body = { model: 'any', input: 'get 1 oak logs' }
    const numbers = await client.embeddings.create({ ...body, encoding_format: 'float' })
    const packed = await client.embeddings.create(body) // The package asks for base64 and unpacks it.
    expect(numbers.data[0]?.embedding).toHaveLength(256)
    for (const [place, value] of packed.data[0]?.embedding.entries() ?? []) {
      expect(value).toBeCloseTo(numbers.data[0]?.embedding[place] ?? Number.NaN, 6)
    }
    expect(packed.data[0]?.embedding).toHaveLength(256)
  })

  it('lists its model, and refuses bad requests as OpenAI does', async () => {
    const { client } = await start()
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['simulated'])
    const app = createSimulatedApp({})
    for (const [body, param] of [
      ['{', null],
      [JSON.stringify({ messages }), 'model'],
      [JSON.stringify({ model: 'm', messages: [] }), 'messages'],
      [JSON.stringify({ model: 'm', messages, n: 0 }), 'n'],
    ] as const) {
      const response = await app.request('/v1/chat/completions', { method: 'POST', body })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } })
    }
    for (const [path, body, param] of [
      ['/v1/embeddings', { model: 'm', input: [] }, 'input'],
      ['/v1/embeddings', { model: 'm', input: [''] }, 'input.0'],
      ['/classify', { model: 'm', input: ['a', 'b'] }, 'input'],
    ] as const) {
      const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } })
    }
    expect((await app.request('/v1/nothing')).status).toBe(404)
  })

  it('counts each call by its id, and says what it used', async () => {
    const prices = { '*': { input: 1, output: 1, request: 0.5 } }
    const { server, models, client } = await start({ prices })
    const answer = await models.model('mine').complete(chatRequest(), { meter: recordingMeter() })
    const log = models.callLog('mine')
    const tokens = { input_tokens: answer.input_tokens, output_tokens: answer.output_tokens }
    const cost = 0.5 + (answer.input_tokens + answer.output_tokens) / 1e6
    expect(await log?.('call-0')).toEqual({ ...tokens, cost })
    expect(await log?.('call-1')).toBe('unseen')
    expect(server.stats()).toEqual({ calls: 1, unique_calls: 1, ...tokens, cost })
    const headers = { 'X-Client-Request-Id': 'call-0' }
    await client.chat.completions.create({ model: 'any', messages }, { headers })
    await client.chat.completions.create({ model: 'any', messages })
    const stats = await (await fetch(`${server.baseUrl.replace('/v1', '')}/stats`)).json()
    expect(stats).toMatchObject({ calls: 3, unique_calls: 2 })
    expect(stats).toEqual(server.stats())
  })

  it('counts embeddings and scores as it counts chats', async () => {
    const prices = { '*': { input: 1_000_000, output: 0 } }
    const { server, models } = await start({ prices })
    const meter = recordingMeter()
    const vectors = await models.embedding('mine').embed({ model: 'm', texts: ['one', 'two'] }, { meter })
    const score = await models.scorer('mine').score({ model: 'm', messages }, { meter })
    const input_tokens = vectors.input_tokens + score.input_tokens
    expect(server.stats()).toEqual({
      calls: 2,
      unique_calls: 2,
      input_tokens,
      output_tokens: 0,
      cost: input_tokens,
    })
    expect(await models.callLog('mine')?.('call-1')).toMatchObject({ input_tokens: score.input_tokens })
  })

  it('counts a call before its latency, so that one whose caller died is known', async () => {
    const { server, models } = await start({ latency: 60_000 })
    const caller = new AbortController()
    const meter = recordingMeter()
    const asked = models.model('mine').complete(chatRequest(), { meter, signal: caller.signal })
    asked.catch(() => undefined)
    await expect.poll(() => server.stats().calls).toBe(1)
    caller.abort()
    await expect(asked).rejects.toThrow()
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
    expect(server.stats().calls).toBe(1)
    expect(await models.callLog('mine')?.('call-0')).toMatchObject({ input_tokens: 11 })
  })
})

describe('a simulated server with faults', () => {
  it('has each call counted exactly once by the meter, through errors and broken connections', async () => {
    const { server, models } = await start({ error_rate: 0.2, drop_rate: 0.2, seed: 1 })
    const meter = recordingMeter()
    const calls = Array.from({ length: 60 }, (_, seed) =>
      models.model('mine').complete(chatRequest({ seed }), { meter }),
    )
    await Promise.all(calls)
    const count = (kind: string) => meter.events.filter((event) => event.startsWith(kind)).length
    expect(count('settle')).toBe(60)
    expect(count('release')).toBeGreaterThan(3)
    expect(count('lose')).toBeGreaterThan(3)
    expect(count('reserve')).toBe(count('settle') + count('release') + count('lose'))
    expect(server.stats()).toMatchObject({
      calls: count('settle') + count('lose'),
      unique_calls: count('settle') + count('lose'),
    })
  })

  it('answers 429 with the time to wait above its rate limit', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
    onTestFinished(() => clock.mockRestore())
    const app = createSimulatedApp({ rate_limit: 2 })
    const body = JSON.stringify({ model: 'm', messages })
    const ask = () => app.request('/v1/chat/completions', { method: 'POST', body })
    const responses = [await ask(), await ask(), await ask()]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(responses[2]?.headers.get('retry-after')).toBe('1')
    expect(responses[2]?.headers.get('retry-after-ms')).toBe('1000')
  })
})
