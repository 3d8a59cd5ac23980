import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { ErrorBody } from '../../shared/core/contracts/error-body.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const request = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 2 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
}
const unpriced = { endpoint: 'unpriced', id: 'it' }

/** A body that a run is refused for, the code of the error and the field that it names. */
const refused: Readonly<Record<string, [object, string, string | null]>> = {
  'an unknown field': [{ ...request, task: {} }, 'unknown_field', 'task'],
  'an unknown environment': [{ ...request, environment: 'none' }, 'unknown_environment', 'environment'],
  'an unknown task': [{ ...request, tasks: { ids: ['none'] } }, 'unknown_task', 'tasks.ids'],
  'an unknown split': [{ ...request, tasks: { split: 'none' } }, 'unknown_task', 'tasks.split'],
  'an unknown method': [{ ...request, method: { id: 'none' } }, 'unknown_method', 'method.id'],
  'an unknown parameter': [{ ...request, method: { id: 'react', some: 1 } }, 'unknown_field', 'method.some'],
  'an unknown endpoint': [
    { ...request, model: { ...request.model, endpoint: 'none' } },
    'unknown_endpoint',
    'model.endpoint',
  ],
  'an unknown endpoint of a role': [
    { ...request, roles: { value: { endpoint: 'none', id: 'it' } } },
    'unknown_endpoint',
    'roles.value.endpoint',
  ],
  'a role that embeds without a model': [
    { ...request, roles: { embedding: { endpoint: 'simulated' } } },
    'invalid_request',
    'roles.embedding.id',
  ],
  'a limit on cost without a price': [
    { ...request, model: unpriced, limits: { cost: 1 } },
    'unpriced_endpoint',
    'limits.cost',
  ],
  "the tenant's limit on cost without a price": [
    { ...request, model: unpriced },
    'unpriced_endpoint',
    'model.endpoint',
  ],
  'an unknown preset': [{ ...request, preset: 'none' }, 'invalid_request', 'preset'],
  'a data pack that is not there': [{ ...request, data: 'none' }, 'invalid_request', 'data'],
  'a data pack of another digest': [
    { ...request, environment: 'webshop', data: 'a'.repeat(64) },
    'invalid_request',
    'data',
  ],
  'a hosting that the environment has not': [
    { ...request, environment: 'scienceworld', hosting: 'worker' },
    'invalid_request',
    'hosting',
  ],
  'an unknown memory': [
    { ...request, method: { id: 'rmcts', memory_from: 'none' } },
    'not_found',
    'method.memory_from',
  ],
  'an unknown library': [
    { ...request, environment: 'pddl', method: { id: 'learnact', library: 'none' } },
    'not_found',
    'method.library',
  ],
  'a prompt that the method has not': [
    { ...request, prompts: { none: 'text' } },
    'unknown_field',
    'prompts.none',
  ],
}

test('a dry run is refused as the run itself is, whatever for', async () => {
  const simulated = endpointSchema.parse({
    kind: 'simulated',
    latency: 1,
    prices: { '*': { input: 1, output: 2 } },
  })
  const service = await openService({
    folder: await temporaryFolder(),
    work: false,
    endpoints: new Map([
      ['simulated', simulated],
      ['unpriced', endpointSchema.parse({ kind: 'openai', base_url: 'http://127.0.0.1:1/v1' })],
    ]),
    log: () => undefined,
  })
  onTestFinished(() => service.close({ grace: 0 }))
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service.app.request(path, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as ErrorBody }
  }
  expect((await send('PUT', '/v1/limits', { cost: 5 })).status).toBe(200)
  const seen: Record<string, [object, string, string | null]> = {}
  for (const [what, [body]] of Object.entries(refused)) {
    const run = await send('POST', '/v1/runs', body)
    expect([what, await send('POST', '/v1/runs?dry_run=true', body)]).toEqual([what, run])
    seen[what] = [body, run.body.error?.code ?? '', run.body.error?.param ?? null]
  }
  expect(seen).toEqual(refused)
  expect((await send('POST', '/v1/runs?dry_run=true', request)).status).toBe(200)
})
