import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { modelChoiceSchema } from '../../../shared/core/contracts/model-choice.ts'
import { addOptions, pricedFields } from '../../../shared/core/contracts/request-options.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { choiceOf } from '../../../shared/play/methods/model-calls.ts'
import { completeModels } from '../../../shared/play/models/answer-defaults.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const sent = async (endpoint: object, changes: object = {}) => {
  const { model, seen } = scriptedModels([() => Response.json(completion('ok'))], { ...endpoint })
  await model.complete(chatRequest(changes), { meter: recordingMeter() })
  return seen[0]?.body ?? {}
}

describe('options of a request', () => {
  it('of the endpoint and of the run go into the body, and those of the run come first', async () => {
    const endpoint = { request: { top_k: 20, chat_template_kwargs: { enable_thinking: true, depth: 1 } } }
    const request = { min_p: 0.1, chat_template_kwargs: { enable_thinking: false } }
    const plain = await sent({})
    expect(await sent(endpoint, { request })).toEqual({
      ...plain,
      min_p: 0.1,
      top_k: 20,
      chat_template_kwargs: { enable_thinking: false, depth: 1 },
    })
    expect(JSON.stringify(await sent({ request: {} }, { request: {} }))).toBe(JSON.stringify(plain))
  })

  it('never change a field that the service writes, whatever they are', () => {
    const json = fc.dictionary(
      fc.string().map((name) => `x${name}`),
      fc.jsonValue({ maxDepth: 3 }),
    ) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(json, json, (body, options) => {
        const merged = addOptions(body, options) as JsonObject
        for (const [name, value] of Object.entries(body)) {
          const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
          if (isNested) expect(merged[name]).toMatchObject(value)
          else expect(merged[name]).toEqual(value)
        }
        expect(Object.keys(merged).slice(0, Object.keys(body).length)).toEqual(Object.keys(body))
        for (const name of Object.keys(options)) expect(Object.hasOwn(merged, name)).toBe(true)
      }),
    )
  })

  const owned = 'model messages n stream temperature top_p max_tokens seed stop tools tool_choice store'
  test.each(owned.split(' '))('named %s are refused with the setting to use', (name) => {
    const choice = { endpoint: 'mine', id: 'm', request: { [name]: 1 } }
    const refused = modelChoiceSchema.safeParse(choice).error?.issues[0]
    expect(refused?.path).toEqual(['request', name])
    expect(refused?.message).toMatch(new RegExp(`^"${name}" is not an option. .{10,}\\.$`))
    const base_url = 'http://127.0.0.1:9/v1'
    expect(endpointSchema.safeParse({ kind: 'openai', base_url, request: { [name]: 1 } }).success).toBe(false)
  })

  test.each([
    [{ api_key: 'sk-1' }],
    [{ headers: { Authorization: 'Bearer sk-1' } }],
    [{ provider: [{ 'api-key': 'sk-1' }] }],
    [{ token: 'sk-1' }],
  ])('hold no keys: %j', (request) => {
    const { error } = modelChoiceSchema.safeParse({ endpoint: 'mine', id: 'm', request })
    expect(error?.issues[0]?.message).toContain('api_key_env')
    expect(JSON.stringify(error?.issues[0]?.message)).not.toContain('sk-1')
  })

  it('may name tokens that are no keys', () => {
    const request = { stop_token_ids: [1], skip_special_tokens: false, token_budget: 5 }
    expect(modelChoiceSchema.parse({ endpoint: 'mine', id: 'm', request }).request).toEqual(request)
  })
})

describe('a run', () => {
  const base = { kind: 'openai', base_url: 'http://127.0.0.1:9/v1' }
  const endpoints: Record<string, object> = {
    mine: { ...base, request: { top_k: 20 } },
    other: { ...base, request: { min_p: 0.1 } },
    bare: base,
    priority: { ...base, request: { service_tier: 'priority' } },
  }
  const complete = (model: object, roles: object = {}) =>
    completeModels(
      runRequestSchema.parse({ environment: 'textcraft', method: { id: 'mcts' }, model, roles }),
      (name) => endpointSchema.parse(endpoints[name]),
    )

  it('records the options of its endpoints beside its own', () => {
    const { model } = complete({ endpoint: 'mine', id: 'm', request: { top_k: 5, seeded: true } })
    expect(model.request).toEqual({ top_k: 5, seeded: true })
    expect(complete({ endpoint: 'mine', id: 'm' }).model.request).toEqual({ top_k: 20 })
    expect(complete({ endpoint: 'bare', id: 'm' }).model).not.toHaveProperty('request')
  })

  it.each(pricedFields)('sets no %s, which would change the price of its calls', (field) => {
    const own = { endpoint: 'mine', id: 'm' }
    const dearer = { request: { [field]: 'x' } }
    const refusal = (param: string) =>
      expect.objectContaining({
        code: 'invalid_request',
        param: `${param}.request.${field}`,
        message: expect.stringMatching(
          `^"${field}" .*\`request\` of the endpoint "(mine|other)", with its price`,
        ),
      })
    expect(() => complete({ ...own, ...dearer })).toThrow(refusal('model'))
    expect(() => complete(own, { value: dearer })).toThrow(refusal('roles.value'))
    expect(() => complete(own, { judge: { endpoint: 'other', id: 'n', ...dearer } })).toThrow(
      refusal('roles.judge'),
    )
  })

  it('takes such options from its endpoint, also when its recorded request is sent again', () => {
    const { model } = complete({ endpoint: 'priority', id: 'm', request: { top_k: 5 } })
    expect(model.request).toEqual({ top_k: 5, service_tier: 'priority' })
    expect(complete(model).model).toEqual(model)
    expect(() => complete({ ...model, endpoint: 'bare' })).toThrow('"service_tier"')
    expect(() => complete({ ...model, request: { service_tier: 'fast' } })).toThrow('"service_tier"')
  })

  it('gives them to a role of the same model, and to no other', () => {
    const completed = complete(
      { endpoint: 'mine', id: 'm', request: { seeded: true } },
      { value: { temperature: 0 }, debate: { id: 'n' }, judge: { endpoint: 'other', id: 'n' } },
    )
    expect(choiceOf(completed, 'value').request).toEqual({ seeded: true, top_k: 20 })
    expect(choiceOf(completed, 'debate').request).toEqual({ top_k: 20 })
    expect(choiceOf(completed, 'judge').request).toEqual({ min_p: 0.1 })
  })
})

test.each([
  [[], []],
  [['temperature'], ['temperature']],
  [
    ['top_p', 'temperature'],
    ['temperature', 'top_p'],
  ],
])('"sampling": %j sends these fields', async (sampling, fields) => {
  const body = await sent({ sampling })
  expect(['temperature', 'top_p'].filter((field) => field in body)).toEqual(fields)
})
