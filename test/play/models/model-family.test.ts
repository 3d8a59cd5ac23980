import { describe, expect, it, test } from 'vitest'
import {
  type EndpointConfiguration,
  endpointSchema,
  servedEndpointSchema,
} from '../../../shared/core/contracts/endpoint-configuration.ts'
import { modelChoiceSchema } from '../../../shared/core/contracts/model-choice.ts'
import { checkSampling, completeModels } from '../../../shared/play/models/answer-defaults.ts'
import { familyOf } from '../../../shared/play/models/model-family.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const reasoning = ['o1', 'o3-mini', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5-mini', 'gpt-5.2', 'gpt-5.1-codex']
const others = [
  'gpt-4o',
  'gpt-4.1-mini',
  'gpt-5-chat-latest',
  'gpt-oss-20b',
  'gpt-50',
  'Qwen/Qwen3-8B',
  'olmo-2',
]

test.each(reasoning)('%s reasons and takes only its own temperature, at every provider', (id) => {
  for (const name of [id, `openai/${id}`, `ft:${id}:team::x`]) {
    expect(familyOf({ id: name })).toEqual({ reasons: true, samples: false })
  }
})

test.each(others)('%s takes any temperature', (id) => {
  expect(familyOf({ id })).toEqual({ reasons: false, samples: true })
})

test('a later gpt-5 that is set not to think takes a temperature', () => {
  expect(familyOf({ id: 'gpt-5.1', reasoning_effort: 'none' }).samples).toBe(true)
  expect(familyOf({ id: 'gpt-5.1', reasoning_effort: 'low' }).samples).toBe(false)
  expect(familyOf({ id: 'gpt-5', reasoning_effort: 'none' }).samples).toBe(false)
})

describe('a call to a model that reasons', () => {
  const sent = async (endpoint: object, changes: object = {}) => {
    const { model, seen } = scriptedModels([() => Response.json(completion('hello'))], { ...endpoint })
    await model.complete(chatRequest({ model: 'o3', ...changes }), { meter: recordingMeter() })
    return seen[0]?.body ?? {}
  }

  it('has max_completion_tokens and no temperature, also behind an address that is not OpenAI', async () => {
    const body = await sent({})
    expect(Object.keys(body).toSorted()).toEqual(['max_completion_tokens', 'messages', 'model', 'seed'])
  })

  it('is sent as the endpoint says, where it says something else', async () => {
    const body = await sent({ sampling: true, max_tokens_field: 'max_tokens' })
    expect(body).toMatchObject({ temperature: 1, top_p: 1, max_tokens: 100 })
  })

  it('has its reasoning_effort where one is given', async () => {
    expect(await sent({})).not.toHaveProperty('reasoning_effort')
    expect(await sent({}, { reasoning_effort: 'low' })).toHaveProperty('reasoning_effort', 'low')
    expect(await sent({}, { model: 'gpt-oss-20b', reasoning_effort: 'high' })).toMatchObject({
      reasoning_effort: 'high',
      temperature: 1,
    })
  })
})

test.each([
  ["Unsupported value: 'reasoning_effort' does not support 'ultra'.", 'reasoning_effort a word'],
  ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens_field'],
])('a refusal says the way out: %s', async (message, advice) => {
  const { model } = scriptedModels([() => Response.json({ error: { message } }, { status: 400 })])
  const call = model.complete(chatRequest(), { meter: recordingMeter() })
  await expect(call).rejects.toThrow(advice)
})

test("Azure's filter is an answer of the model: empty, filtered, and paid for its prompt", async () => {
  const error = { message: 'The response was filtered.', type: null, param: 'prompt', code: 'content_filter' }
  const { model, seen } = scriptedModels([() => Response.json({ error }, { status: 400 })], {
    prices: { '*': { input: 1_000_000, output: 1_000_000 } },
  })
  const meter = recordingMeter()
  const filtered = { content: '', finish_reason: 'content_filter' }
  expect(await model.complete(chatRequest({ n: 2 }), { meter })).toEqual({
    choices: [filtered, filtered],
    model_calls: 1,
    input_tokens: 11,
    output_tokens: 0,
    cost: 11,
  })
  expect(meter.events).toEqual(['reserve call-0', 'settle call-0 11+0'])
  expect(seen).toHaveLength(1)
})

describe('the longest answer', () => {
  const endpoints: Record<string, EndpointConfiguration> = {
    real: endpointSchema.parse({ kind: 'openai', base_url: 'http://127.0.0.1:9/v1' }),
    pretended: endpointSchema.parse({ kind: 'simulated' }),
  }
  const find = (name: string) => endpoints[name] as EndpointConfiguration
  const of = (endpoint: string, max_tokens?: number) =>
    modelChoiceSchema.parse({ endpoint, id: 'm', ...(max_tokens !== undefined && { max_tokens }) })

  it('is 4,096 tokens of a real endpoint and 512 of the simulated model', () => {
    expect(completeModels({ model: of('real'), roles: {} }, find).model.max_tokens).toBe(4096)
    expect(completeModels({ model: of('pretended'), roles: {} }, find).model.max_tokens).toBe(512)
  })

  it('of a role is that of its own endpoint, unless the role or the model says one', () => {
    const roles = { value: { endpoint: 'real' }, debate: { endpoint: 'real', max_tokens: 9 }, reflection: {} }
    expect(completeModels({ model: of('pretended'), roles }, find).roles).toEqual({
      value: { endpoint: 'real', max_tokens: 4096 },
      debate: { endpoint: 'real', max_tokens: 9 },
      reflection: {},
    })
    const said = { model: of('pretended', 100), roles }
    expect(completeModels(said, find)).toEqual({
      ...said,
      model: { ...said.model, max_prompt_tokens: 32_000 },
    })
  })

  it('leaves the rest of a served model’s context to prompts, of each role by its own answer', () => {
    const served = servedEndpointSchema.parse({ kind: 'served', model: 'm', context: 1000 })
    const large = servedEndpointSchema.parse({ kind: 'served', model: 'm', context: 131_072 })
    const each: Record<string, EndpointConfiguration> = { ...endpoints, served, large }
    const findEach = (name: string) => each[name] as EndpointConfiguration
    const roles = {
      value: { max_tokens: 600 },
      debate: { endpoint: 'large' },
      reflection: { temperature: 0 },
    }
    expect(completeModels({ model: of('served'), roles }, findEach)).toMatchObject({
      model: { max_tokens: 250, max_prompt_tokens: 750 },
      roles: {
        value: { max_tokens: 600, max_prompt_tokens: 400 },
        debate: { max_tokens: 4096, max_prompt_tokens: 32_000 },
        reflection: { temperature: 0 },
      },
    })
    const stated = { ...of('served'), max_prompt_tokens: 300 }
    expect(completeModels({ model: stated, roles: {} }, findEach).model.max_prompt_tokens).toBe(300)
  })

  it('may not come with a temperature that would not be sent', () => {
    const refusing = endpointSchema.parse({
      kind: 'openai',
      base_url: 'http://127.0.0.1:9/v1',
      sampling: false,
    })
    const cold = { ...of('real'), temperature: 0.2 }
    const narrow = { ...of('real'), top_p: 0.5 }
    expect(() => checkSampling(find('real'), { ...cold, id: 'o3' }, 'roles.value')).toThrow(
      'roles.value.temperature',
    )
    expect(() => checkSampling(refusing, narrow, 'model')).toThrow('model.top_p')
    for (const choice of [cold, narrow])
      expect(() => checkSampling(find('real'), choice, 'model')).not.toThrow()
    expect(() => checkSampling(find('real'), { ...of('real'), id: 'o3' }, 'model')).not.toThrow()
  })
})
