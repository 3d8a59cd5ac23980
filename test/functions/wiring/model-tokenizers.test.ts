import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openEnvironmentServices } from '../../../functions/wiring/open-environment-services.ts'
import { wireService } from '../../../functions/wiring/wire-service.ts'
import {
  openAiEndpointSchema,
  servedEndpointSchema,
} from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { Run, RunRequest, RunRequestInput } from '../../../shared/core/contracts/run.ts'
import type { ModelRegistry } from '../../../shared/learn/registry/model-registry.ts'
import { openModelTokenizer } from '../../../shared/learn/tokenizers/model-tokenizer.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { openEndpointDirectory } from '../../../shared/play/models/endpoint-directory.ts'
import { estimatePromptTokens } from '../../../shared/play/models/estimate-tokens.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { registerModel } from '../../learn/tokenizers/register-model.ts'
import { bytePairTokenizer, chatTemplate } from '../../learn/tokenizers/tiny-tokenizers.ts'
import { completion } from '../../play/models/chat-request.ts'
import { fetchedTransport } from '../../play/models/fetched-transport.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

/** A token for each byte: three times what is estimated. */
const tokenizer = bytePairTokenizer()
const exact = openModelTokenizer({ model: 'test', tokenizer, configuration: null, chatTemplate })
const context = 8192
/** Counted by the server for the question that it is asked before a run. */
const probeTokens = 9

/** A service with models that are served under their ids, and one endpoint of somebody else, which all answer the same. */
async function openService() {
  const world = await openTestWorld()
  const sent: Message[][] = []
  const directory = openEndpointDirectory(world)
  const plain = openAiEndpointSchema.parse({ kind: 'openai', base_url: 'http://127.0.0.1:9/v1' })
  const models = openModels(new Map([['plain', plain]]), {
    directory,
    servers: {
      waitFor: async () => ({ url: 'http://127.0.0.1:9', life: '1' }),
      isCurrent: async () => true,
      begin: () => () => undefined,
    },
    transport: fetchedTransport(async ({ body }) => {
      const { messages } = JSON.parse(body) as { messages: Message[] }
      // A run asks each of its models one word before it begins.
      if (messages.at(-1)?.content === 'Say "ready".')
        return Response.json(completion('Yes', { prompt_tokens: probeTokens, completion_tokens: 1 }))
      sent.push(messages)
      return Response.json(completion('Thought: I look around.\nAction: inventory', null))
    }),
  })
  const errors: unknown[] = []
  const hosts = { call: () => Promise.reject(new Error('There are no hosts.')) }
  const { api, engine } = wireService({
    methods: openMethods(),
    world,
    models,
    ...openEnvironmentServices({ world, hosts }),
    code: 'code',
    capacity: 1,
    onError: (error) => errors.push(error),
  })
  onTestFinished(async () => {
    await engine.worker.stop(1)
    await models.close()
  })
  await engine.worker.start()
  const { forecasts, models: registry, runs } = api.tenant('default')

  async function serve(files: Parameters<typeof registerModel>[1] = {}): Promise<string> {
    const { id } = await registerModel(registry, { tokenizer, context, ...files })
    const configuration = servedEndpointSchema.parse({
      kind: 'served',
      model: id,
      context: files.context ?? context,
      max_choices: 1,
      prices: { '*': { input: 0, output: 0 } },
    })
    await directory.add({ name: id, configuration, origin: 'served', tenant: 'default' })
    return id
  }

  async function play(request: RunRequest): Promise<Run> {
    const { id } = await runs.create(request)
    for (;;) {
      const run = await runs.get(id)
      if (run.ended_at !== null || run.status === 'paused') return run
      await sleep(5)
    }
  }
  return { errors, forecasts, play, registry, runs, sent, serve }
}

let service: Awaited<ReturnType<typeof openService>>

beforeEach(async () => {
  service = await openService()
})

type ModelInput = Partial<RunRequestInput['model']>

const runOf = (model: string, settings: ModelInput = {}, more: Partial<RunRequestInput> = {}) =>
  toRequest({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 1 },
    method: { id: 'react', max_steps: 12 },
    model: { endpoint: model, id: model, ...settings },
    ...more,
  })

describe('a run of a served model', () => {
  test('records whose tokenizer counts, and prompts as long as the context allows beside the answer', async () => {
    const model = await service.serve()
    const { request } = await service.runs.plan(runOf(model, { max_tokens: 200 }))
    expect(request.model).toMatchObject({ tokenizer: model, max_prompt_tokens: context - 200 })
  })

  test('sends no prompt with more tokens of the model than it may, and counts what it sends exactly', async () => {
    const model = await service.serve()
    const whole = await service.play(runOf(model))
    const [first, last] = [service.sent[0] ?? [], service.sent.at(-1) ?? []]
    const most = Math.ceil((exact.ofPrompt(first) + exact.ofPrompt(last)) / 2)
    expect(estimatePromptTokens(last)).toBeLessThan(most)
    expect(whole.usage.input_tokens).toBe(
      service.sent.reduce((sum, sent) => sum + exact.ofPrompt(sent), probeTokens),
    )
    service.sent.length = 0
    await service.play(runOf(model, { max_prompt_tokens: most }))
    expect(service.sent.length).toBeGreaterThan(10)
    expect(Math.max(...service.sent.map((sent) => exact.ofPrompt(sent)))).toBeLessThanOrEqual(most)
    expect(service.errors).toEqual([])
  })

  test('is not sent what is longer than the context: the episode says how long it was', async () => {
    const model = await service.serve({ context: 600 })
    const { id, episodes } = await service.play(runOf(model, {}, { max_retries: 0 }))
    expect(episodes.errored).toBe(1)
    expect(service.sent).toEqual([])
    const { data } = await service.runs.episodes(id, { limit: 1 })
    expect(data[0]?.result?.error).toMatchObject({
      message: expect.stringMatching(/The prompt has 2109 tokens, and .* a context of 600/),
    })
  })

  test('refuses prompts and answers that are longer together than the context', async () => {
    const model = await service.serve()
    const tooLong = runOf(model, { max_tokens: 200, max_prompt_tokens: context - 100 })
    await expect(service.runs.create(tooLong)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'model.max_prompt_tokens',
      message: expect.stringContaining(`at most ${context - 200}`),
    })
  })

  test('is estimated with a warning where the tokenizer cannot be used, and plays', async () => {
    const model = await service.serve({ template: '{% for %}' })
    const run = await service.play(runOf(model))
    expect(run.status).toBe('succeeded')
    expect(run.request.model.tokenizer).toBe('estimate')
    expect(run.resolved?.warnings).toEqual([
      expect.stringContaining(`${model} has a tokenizer or chat template`),
    ])
    expect(service.sent.length).toBeGreaterThan(0)
    const { basis } = await service.forecasts.estimate(runOf(model, {}, { seed: 1 }))
    expect(basis.input_tokens).toContain('Tokens are estimated on the high side')
    expect(basis.input_tokens).toContain(`${model} has a tokenizer or chat template`)
  })

  test('is estimated without a word where there is no tokenizer', async () => {
    const model = await service.serve({ tokenizer: null })
    const { request, resolved } = await service.runs.plan(runOf(model))
    expect(request.model.tokenizer).toBe('estimate')
    expect(resolved).not.toHaveProperty('warnings')
  })

  test('has a role of another model counted by that one', async () => {
    const [model, other] = [await service.serve(), await service.serve({ context: 900 })]
    const roles = { value: { endpoint: other, id: other } }
    const { request } = await service.runs.plan(runOf(model, {}, { roles }))
    expect(request.roles.value).toMatchObject({ tokenizer: other, max_prompt_tokens: 675, max_tokens: 225 })
    const same = await service.runs.plan(runOf(model, {}, { roles: { value: { temperature: 0 } } }))
    expect(same.request.roles.value).toEqual({ temperature: 0 })
  })

  test('is estimated in its own tokens', async () => {
    const [counted, estimated] = [await service.serve(), await service.serve({ tokenizer: null })]
    const [own, other] = [
      await service.forecasts.estimate(runOf(counted)),
      await service.forecasts.estimate(runOf(estimated)),
    ]
    expect(own.basis.input_tokens).toContain(`Tokens are counted by the tokenizer of ${counted}`)
    expect(own.input_tokens.expected).toBeGreaterThan(2 * other.input_tokens.expected)
  })
})

describe('a named tokenizer', () => {
  test('counts for an endpoint of somebody else', async () => {
    const { id } = await registerModel(service.registry as ModelRegistry, { tokenizer })
    const run = await service.play(runOf('plain', { tokenizer: id, max_tokens: 50 }))
    expect(run.request.model).toMatchObject({ tokenizer: id, max_prompt_tokens: 32_000 })
    expect(run.usage.input_tokens).toBe(
      service.sent.reduce((sum, sent) => sum + exact.ofPrompt(sent), probeTokens),
    )
  })

  test('may be none', async () => {
    const model = await service.serve()
    const { request } = await service.runs.plan(runOf(model, { tokenizer: 'estimate' }))
    expect(request.model.tokenizer).toBe('estimate')
    expect((await service.runs.plan(runOf('plain'))).request.model).not.toHaveProperty('tokenizer')
  })

  test('that cannot be used is refused by its field', async () => {
    const { id } = await registerModel(service.registry as ModelRegistry, { tokenizer: '{}' })
    const [served, other] = [await service.serve(), await service.serve()]
    const refused = { code: 'invalid_request', param: 'model.tokenizer' }
    await expect(service.runs.plan(runOf('plain', { tokenizer: 'model-0' }))).rejects.toMatchObject(refused)
    await expect(service.runs.plan(runOf('plain', { tokenizer: id }))).rejects.toMatchObject(refused)
    await expect(service.runs.plan(runOf(served, { tokenizer: other }))).rejects.toMatchObject(refused)
    const roles = { value: { endpoint: 'plain', id: 'x', tokenizer: 'model-0' } }
    await expect(service.runs.plan(runOf(served, {}, { roles }))).rejects.toMatchObject({
      ...refused,
      param: 'roles.value.tokenizer',
    })
  })
})
