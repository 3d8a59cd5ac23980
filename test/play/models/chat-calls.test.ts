import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Meter } from '../../../shared/core/contracts/meter.ts'
import { ModelError } from '../../../shared/play/models/model-error.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const answered = () => Response.json(completion('hello'))
const refused =
  (status: number, headers: Record<string, string> = {}, message = 'no') =>
  () =>
    Response.json({ error: { message, type: 'x', code: null, param: null } }, { status, headers })

async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await promise.then(
    () => new Error('It succeeded.'),
    (failure: unknown) => failure,
  )
  if (!(error instanceof ModelError)) throw error
  return error
}

describe('a call that is answered', () => {
  it('is reserved at its upper bound, sent with the id of the reservation, and settled at its usage', async () => {
    const prices = { 'gpt-test': { input: 1_000_000, output: 2_000_000 } }
    const { model, seen } = scriptedModels([answered], { prices, api_key_env: 'THE_KEY' })
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest(), { meter })
    expect(answer).toEqual({
      choices: [{ content: 'hello', finish_reason: 'stop' }],
      model_calls: 1,
      input_tokens: 9,
      output_tokens: 3,
      cost: 15,
    })
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 9+3'])
    expect(meter.bounds).toEqual([{ tokens: 111, cost: 211 }])
    expect(seen[0]?.url).toBe('http://127.0.0.1:9/v1/chat/completions')
    expect(seen[0]?.headers.get('x-client-request-id')).toBe('call-0')
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk-very-secret-1234')
    expect(seen[0]?.body).toEqual({
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 1,
      top_p: 1,
      max_tokens: 100,
      seed: 7,
    })
  })

  it('costs less for what the endpoint had cached, and reports how much that was', async () => {
    const cached = () =>
      Response.json({
        ...completion('hello'),
        usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } },
      })
    const prices = { 'gpt-test': { input: 1_000_000, cached_input: 250_000, output: 2_000_000 } }
    const { model } = scriptedModels([cached], { prices })
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest(), { meter })
    expect(answer).toMatchObject({ input_tokens: 9, cached_tokens: 8, output_tokens: 3, cost: 1 + 2 + 6 })
    // As if nothing were cached, which is unknown before.
    expect(meter.bounds).toEqual([{ tokens: 111, cost: 211 }])
  })

  it('ends before the first stop text, which is sent, also where the endpoint goes on behind it', async () => {
    const { model, seen } = scriptedModels([
      () => Response.json(completion('Action: a\nObservation: b\nTask: c')),
    ])
    const request = { ...chatRequest(), stop: ['\nTask:', '\nObservation:'] }
    const { choices } = await model.complete(request, { meter: recordingMeter() })
    expect(choices).toEqual([{ content: 'Action: a', finish_reason: 'stop' }])
    expect(seen[0]?.body).toMatchObject({ stop: ['\nTask:', '\nObservation:'] })
  })

  it('counts reasoning tokens among the output tokens, and beside them if there are more', async () => {
    const reasoned = (reasoning_tokens: number) => () =>
      Response.json({
        ...completion(''),
        usage: { prompt_tokens: 9, completion_tokens: 30, completion_tokens_details: { reasoning_tokens } },
      })
    const { model } = scriptedModels([reasoned(28), reasoned(400), reasoned(0)])
    const ask = () => model.complete(chatRequest(), { meter: recordingMeter() })
    expect(await ask()).toMatchObject({ output_tokens: 30, reasoning_tokens: 28 })
    expect(await ask()).toMatchObject({ output_tokens: 430, reasoning_tokens: 400 })
    expect(await ask()).not.toHaveProperty('reasoning_tokens')
  })

  it.each([null, 'many', { reasoning_tokens: null }, { reasoning_tokens: -1 }])(
    'counts no reasoning where an endpoint reports it in no form that is known: %j',
    async (completion_tokens_details) => {
      const usage = { prompt_tokens: 9, completion_tokens: 3, completion_tokens_details }
      const { model } = scriptedModels([() => Response.json({ ...completion('hello'), usage })])
      const answer = await model.complete(chatRequest(), { meter: recordingMeter() })
      expect(answer).toMatchObject({ output_tokens: 3 })
      expect(answer).not.toHaveProperty('reasoning_tokens')
    },
  )

  it.each([null, 'many', { cached_tokens: null }, { cached_tokens: -1 }])(
    'counts as not cached what an endpoint reports in no form that is known: %j',
    async (prompt_tokens_details) => {
      const odd = () =>
        Response.json({
          ...completion('hello'),
          usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details },
        })
      const { model } = scriptedModels([odd])
      const answer = await model.complete(chatRequest(), { meter: recordingMeter() })
      expect(answer).toMatchObject({ input_tokens: 9 })
      expect(answer).not.toHaveProperty('cached_tokens')
    },
  )

  it('has no seed, no key and another field for the longest answer where the endpoint says so', async () => {
    const headers = { 'x-team': 'trees' }
    const endpoint = {
      seed: false,
      max_tokens_field: 'max_completion_tokens',
      headers,
      organization: 'org-1',
    }
    const { model, seen } = scriptedModels([answered], endpoint)
    await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(seen[0]?.body).not.toHaveProperty('seed')
    expect(seen[0]?.body).toMatchObject({ max_completion_tokens: 100 })
    expect(seen[0]?.body).not.toHaveProperty('max_tokens')
    expect(seen[0]?.headers.has('authorization')).toBe(false)
    expect(seen[0]?.headers.get('x-team')).toBe('trees')
    expect(seen[0]?.headers.get('openai-organization')).toBe('org-1')
  })

  it('asks OpenAI itself for max_completion_tokens', async () => {
    const { model, seen } = scriptedModels([answered], { base_url: 'https://api.openai.com/v1' })
    await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(seen[0]?.body).toMatchObject({ max_completion_tokens: 100 })
  })

  it('has no temperature and no top_p where the endpoint says so', async () => {
    const { model, seen } = scriptedModels([answered], { sampling: false })
    await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(Object.keys(seen[0]?.body ?? {}).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'seed'])
  })

  it('may be empty, and is estimated where the endpoint counts no tokens', async () => {
    const { model } = scriptedModels([() => Response.json(completion('', null))])
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest(), { meter })
    expect(answer).toMatchObject({
      choices: [{ content: '' }],
      input_tokens: 11,
      output_tokens: 0,
      cost: null,
    })
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 11+0'])
  })
})

describe('a call that is refused', () => {
  it('is released and sent again as a call of its own, after the wait that the server asks for', async () => {
    const script = [
      refused(429, { 'retry-after': '7' }),
      refused(503, { 'retry-after-ms': '2500' }),
      answered,
    ]
    const { model, clock, seen } = scriptedModels(script)
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    expect(clock.slept).toEqual([7000, 2500])
    expect(meter.events).toEqual([
      'reserve call-0',
      'release call-0',
      'reserve call-1',
      'release call-1',
      'reserve call-2',
      'settle call-2 9+3',
    ])
    expect(seen.map(({ headers }) => headers.get('x-client-request-id'))).toEqual([
      'call-0',
      'call-1',
      'call-2',
    ])
  })

  it.each([400, 401, 403, 404, 422])('with %i is final at once', async (status) => {
    const { model, seen } = scriptedModels([refused(status, {}, 'because of this')])
    const meter = recordingMeter()
    const error = await failureOf(model.complete(chatRequest(), { meter }))
    expect(error).toMatchObject({ code: 'endpoint_failed', transient: false, endpointStatus: status })
    expect(error.message).toContain('"mine"')
    expect(error.message).toContain(String(status))
    expect(error.message).toContain('because of this')
    expect(meter.events).toEqual(['reserve call-0', 'release call-0'])
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['temperature', "Unsupported value: 'temperature' does not support 0.5 with this model."],
    ['top_p', '`temperature` and `top_p` cannot both be specified for this model.'],
  ])('for its %s says which setting leaves it out', async (_field, message) => {
    const { model } = scriptedModels([refused(400, {}, message)])
    const error = await failureOf(model.complete(chatRequest({ n: 4 }), { meter: recordingMeter() }))
    expect(error.message).toContain('set sampling to false')
  })

  it('is given up after max_retries, as transient', async () => {
    const { model, seen } = scriptedModels([refused(500)], { max_retries: 2 })
    const error = await failureOf(model.complete(chatRequest(), { meter: recordingMeter() }))
    expect(error).toMatchObject({ transient: true, endpointStatus: 500 })
    expect(error.message).toContain('3 tries')
    expect(seen).toHaveLength(3)
  })

  it('obeys x-should-retry, and does not wait for hours', async () => {
    const never = scriptedModels([refused(500, { 'x-should-retry': 'false' })])
    expect(
      (await failureOf(never.model.complete(chatRequest(), { meter: recordingMeter() }))).transient,
    ).toBe(false)
    const late = scriptedModels([refused(429, { 'retry-after': '7200' })])
    const error = await failureOf(late.model.complete(chatRequest(), { meter: recordingMeter() }))
    expect(error.transient).toBe(true)
    expect(late.clock.slept).toEqual([])
  })

  it('for want of credit is not tried again', async () => {
    const body = { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }
    const { model, seen } = scriptedModels([() => Response.json(body, { status: 429 })])
    const error = await failureOf(model.complete(chatRequest(), { meter: recordingMeter() }))
    expect(error.transient).toBe(false)
    expect(error.message).toContain('credit')
    expect(seen).toHaveLength(1)
  })
})

describe('a call whose answer makes no sense', () => {
  it('is lost and sent again when its JSON is cut off', async () => {
    const cut = () => new Response('{"choices": [', { headers: { 'content-type': 'application/json' } })
    const { model } = scriptedModels([cut, answered])
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 9+3'])
  })
})

describe('the meter', () => {
  it('stops a call before anything is sent, and its error comes through', async () => {
    const { model, seen } = scriptedModels([answered])
    const meter: Meter = { reserve: () => Promise.reject(new Error('the cap is reached')) }
    await expect(model.complete(chatRequest(), { meter })).rejects.toThrow('the cap is reached')
    expect(seen).toHaveLength(0)
  })

  it('is asked only when the call has its slot', async () => {
    const gate = Promise.withResolvers<Response>()
    const { model } = scriptedModels([() => gate.promise, answered], { max_concurrency: 1 })
    const meter = recordingMeter()
    const first = model.complete(chatRequest(), { meter })
    const second = model.complete(chatRequest(), { meter })
    await new Promise(setImmediate)
    expect(meter.events).toEqual(['reserve call-0'])
    gate.resolve(Response.json(completion('hello')))
    await Promise.all([first, second])
    expect(meter.events).toHaveLength(4)
  })
})

describe('a signal', () => {
  it('that has aborted already sends nothing', async () => {
    const { model, seen } = scriptedModels([answered])
    const meter = recordingMeter()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(model.complete(chatRequest(), { meter, signal })).rejects.toThrow('too late')
    expect([meter.events, seen]).toEqual([[], []])
  })

  it('releases a call that was reserved and not sent yet', async () => {
    const controller = new AbortController()
    const { model, seen } = scriptedModels([answered])
    const meter = recordingMeter()
    const aborting: Meter = {
      reserve: (bound) => {
        controller.abort(new Error('just now'))
        return meter.reserve(bound)
      },
    }
    const call = model.complete(chatRequest(), { meter: aborting, signal: controller.signal })
    await expect(call).rejects.toThrow('just now')
    expect([meter.events, seen]).toEqual([['reserve call-0', 'release call-0'], []])
  })

  it('of a pool that closes ends its calls', async () => {
    const { models, model } = scriptedModels([answered])
    await models.close()
    await expect(model.complete(chatRequest(), { meter: recordingMeter() })).rejects.toThrow('closed')
  })
})

describe('a key', () => {
  it('is in no error, whatever the server repeats, and nowhere in the objects', async () => {
    const repeats = refused(401, {}, 'Incorrect API key provided: sk-very-secret-1234.')
    const { models, model } = scriptedModels([repeats], { api_key_env: 'THE_KEY' })
    const error = await failureOf(model.complete(chatRequest(), { meter: recordingMeter() }))
    expect(error.message).toContain('[secret]')
    for (const value of [error, error.toBody(), error.stack, models, model]) {
      const shown = `${inspect(value, { depth: 20, showHidden: true })}${JSON.stringify(value)}${String(value)}`
      expect(shown).not.toContain('sk-very-secret-1234')
    }
  })

  it('that no header can carry is refused before it is used', () => {
    const environment = { THE_KEY: 'sk-very secret' }
    const attempt = () => scriptedModels([answered], { api_key_env: 'THE_KEY' }, { environment })
    expect(attempt).toThrow('headers cannot carry')
    expect(attempt).not.toThrow('sk-very')
  })
})
