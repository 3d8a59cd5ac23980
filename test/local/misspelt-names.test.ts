import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { oneSlip } from '../support/one-slip.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const price = { input: 1, output: 2 }
const ending = ['succeeded', 'failed', 'cancelled']

/** A service with an ended run of each kind of learning, a dataset, an import, a key and an experiment. */
async function openFilled() {
  const service = await openService({
    folder: await temporaryFolder(),
    endpoints: new Map([
      ['simulated', endpointSchema.parse({ kind: 'simulated' })],
      [
        'elsewhere',
        endpointSchema.parse({
          kind: 'openai',
          base_url: 'http://127.0.0.1:1/v1',
          prices: { 'gpt-5-mini': price },
        }),
      ],
    ]),
    log: () => {},
  })
  onTestFinished(() => service.close({ grace: 0 }))
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service.app.request(path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as { id: string; [field: string]: unknown } }
  }
  const made = async (path: string, body: object) => {
    const { body: thing } = await send('POST', path, body)
    expect(thing).toMatchObject({ id: expect.any(String) })
    for (;;) {
      const { status } = (await send('GET', `${path}/${thing.id}`)).body
      if (status === undefined || ending.includes(String(status))) return thing.id
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const run = (method: object) => ({ ...request, experiment: 'nightly-search', method })
  const reflected = await made('/v1/runs', run({ id: 'reflexion', max_steps: 3 }))
  const dataset = await made('/v1/datasets', { runs: [reflected], kind: 'sft', format: 'trl' })
  const { body: key } = await send('POST', '/v1/keys', { name: 'nightly', scopes: ['runs:read'] })
  return { send, run: reflected, memory: reflected.replace('run-', 'mem-'), dataset, key: key.id }
}

const request = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 1 },
  method: { id: 'react', max_steps: 2 },
  model: { endpoint: 'simulated', id: 'simulated' },
}

test('one slip in a name is answered with the name, for each kind of name', async () => {
  const { send, run, memory, dataset, key } = await openFilled()
  const dry = (change: object) => send('POST', '/v1/runs?dry_run=true', { ...request, ...change })
  const model = (id: string) => ({ endpoint: 'elsewhere', id })
  const built = (change: object) =>
    send('POST', '/v1/datasets', { runs: [run], kind: 'sft', format: 'trl', ...change })
  const kinds: Record<string, [name: string, ask: (slipped: string) => ReturnType<typeof send>]> = {
    environment: ['scienceworld', (environment) => dry({ environment })],
    method: ['best-first', (id) => dry({ method: { id } })],
    parameter: ['max_steps', (name) => dry({ method: { id: 'react', [name]: 3 } })],
    split: ['depth-2', (split) => send('GET', `/v1/environments/textcraft/tasks?type=${split}`)],
    generator: ['crafting', (generator) => dry({ tasks: { generate: { count: 2, generator } } })],
    'data pack': ['builtin', (data) => dry({ data })],
    preset: ['learnact', (preset) => dry({ preset })],
    prompt: ['judge-rubric', (id) => dry({ method: { id: 'mcts' }, prompts: { [id]: 'Judge.' } })],
    role: ['value', (role) => dry({ roles: { [role]: { id: 'simulated' } } })],
    endpoint: ['elsewhere', (endpoint) => dry({ model: { endpoint, id: 'gpt-5-mini' } })],
    'tested endpoint': ['elsewhere', (name) => send('POST', `/v1/endpoints/${name}/test`, {})],
    'removed endpoint': ['elsewhere', (name) => send('DELETE', `/v1/endpoints/${name}`)],
    'priced model': ['gpt-5-mini', (id) => dry({ model: model(id), limits: { cost: 1 } })],
    'simulated model': ['simulated', (id) => dry({ model: { endpoint: 'simulated', id } })],
    'simulated judge': ['simulated', (id) => dry({ roles: { value: { id } } })],
    run: [run, (id) => send('GET', `/v1/runs/${id}`)],
    'compared run': [run, (id) => send('POST', '/v1/reports/compare', { runs: [run, id] })],
    'run of a dataset': [run, (id) => built({ runs: [id] })],
    'expert of a dataset': [run, (id) => built({ kind: 'preference', experts: [id] })],
    dataset: [dataset, (id) => send('GET', `/v1/datasets/${id}`)],
    kind: ['step-preference', (kind) => built({ kind })],
    format: ['llama-factory', (format) => built({ format })],
    memory: [memory, (id) => send('GET', `/v1/memories/${id}`)],
    'memory of a run': [memory, (id) => dry({ method: { id: 'reflexion', memory_from: id } })],
    experiment: ['nightly-search', (experiment) => send('POST', '/v1/reports/leaderboard', { experiment })],
    key: [key, (id) => send('DELETE', `/v1/keys/${id}`)],
  }
  for (const [kind, [name, ask]] of Object.entries(kinds)) {
    await fc.assert(
      fc.asyncProperty(oneSlip(name), async (slipped) => {
        const { status, body } = await ask(slipped)
        expect(status, `${kind} ${slipped}`).toBeGreaterThanOrEqual(400)
        expect(JSON.stringify(body), `${kind} ${slipped}`).toContain(`Did you mean \\"${name}\\"?`)
      }),
      { numRuns: 6 },
    )
  }
  for (const id of ['0', 'ep-0', 'eq-0000000', 'ep-000000']) {
    const { body } = await send('GET', `/v1/runs/${run}/episodes/${encodeURIComponent(id)}`)
    expect(JSON.stringify(body), id).toContain('Did you mean \\"ep-0000000\\"?')
  }
})

test('a model without a price is played with a warning that names the priced one', async () => {
  const { send } = await openFilled()
  const model = { endpoint: 'elsewhere', id: 'gpt-5-mni' }
  const { body } = await send('POST', '/v1/runs?dry_run=true', { ...request, model })
  expect(JSON.stringify(body)).toContain('Did you mean \\"gpt-5-mini\\"?')
  const other = await send('POST', '/v1/runs?dry_run=true', { ...request, model: { ...model, id: 'o3' } })
  expect(JSON.stringify(other.body)).not.toContain('Did you mean')
})
