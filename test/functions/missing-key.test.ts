import { expect, test } from 'vitest'
import { completeModelsWith } from '../../functions/wiring/complete-models.ts'
import type { EndpointInfo } from '../../shared/core/contracts/catalogue.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { toRequest } from '../support/open-test-engine.ts'

test('a run whose endpoint lacks its key is refused with the name of the variable', async () => {
  const models = openModels(await loadEndpoints({ path: null, environment: {} }), { environment: {} })
  const complete = completeModelsWith(models)
  const real = { endpoint: 'openai', id: 'gpt-5-mini' }
  const simulated = { endpoint: 'simulated', id: 'simulated' }
  await expect(complete(toRequest({ model: real }))).rejects.toThrow('OPENAI_API_KEY is not set')
  await expect(complete(toRequest({ model: simulated, roles: { value: real } }))).rejects.toThrow(
    expect.objectContaining({ param: 'roles.value.endpoint' }),
  )
  expect((await complete(toRequest({ model: simulated }))).model.max_tokens).toBe(512)
})

test("the closest model it suggests is never one of another tenant's endpoint", async () => {
  const models = openModels(await loadEndpoints({ path: null, environment: {} }), { environment: {} })
  const [own] = models.list('mine')
  const theirs = { ...own, id: 'theirs', models: ['secret-model'] } as EndpointInfo
  const shared = {
    configuration: models.configuration,
    refresh: models.refresh,
    list: (tenant?: string) => [...models.list(tenant), ...(tenant === 'mine' ? [] : [theirs])],
  }
  const request = toRequest({ model: { endpoint: 'openai', id: 'secret-modell' } })
  const refuse = (tenant: string) =>
    completeModelsWith(shared)(request, tenant).catch((error: Error) => error.message)
  expect(await refuse('theirs')).toContain('Did you mean "secret-model"?')
  expect(await refuse('mine')).toMatch(/OPENAI_API_KEY is not set(?!.*secret-model")/)
})

test('a key that is kept in AWS is for the provider to judge', async () => {
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: 'http://127.0.0.1:9/v1',
    api_key_secret: 'espalier/dev/openai',
  })
  const models = openModels(new Map([['mine', configuration]]), { environment: {} })
  const request = toRequest({ model: { endpoint: 'mine', id: 'm' } })
  expect((await completeModelsWith(models)(request)).model.max_tokens).toBe(4096)
})
