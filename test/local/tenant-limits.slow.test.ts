import { expect, onTestFinished, test } from 'vitest'
import { tenantHeader } from '../../local/local-principal.ts'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { ErrorBody } from '../../shared/core/contracts/error-body.ts'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { TenantLimits } from '../../shared/core/contracts/tenant-limits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const request = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 8 },
  method: { id: 'react', max_steps: 10 },
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 2,
}

type Ask = <Answer>(method: string, path: string, body?: object) => Promise<{ status: number; body: Answer }>

/** A service whose simulated model costs something, as its operator sees it and as the holders of keys do. */
async function openPriced() {
  const prices = { '*': { input: 1, output: 2 } }
  const simulated = endpointSchema.parse({ kind: 'simulated', latency: 1, latency_spread: 0, prices })
  const service = await openService({
    folder: await temporaryFolder(),
    auth: 'keys',
    endpoints: new Map([
      ['simulated', simulated],
      ['unpriced', endpointSchema.parse({ kind: 'openai', base_url: 'http://127.0.0.1:1/v1' })],
    ]),
    log: () => undefined,
  })
  onTestFinished(() => service.close({ grace: 1 }))
  const as =
    (headers: Record<string, string>): Ask =>
    async <Answer>(method: string, path: string, body?: object) => {
      const answer = await service.app.request(path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Answer }
    }
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  const operatorFor = (tenant: string) => as({ ...bearer(service.word), [tenantHeader]: tenant })
  const memberOf = async (tenant: string) => {
    const made = await operatorFor(tenant)<CreatedKey>('POST', '/v1/keys', { name: 'it', scopes: ['admin'] })
    return as(bearer(made.body.key))
  }
  return { operatorFor, memberOf }
}

async function until(ask: Ask, id: string, status: Run['status']): Promise<Run> {
  for (;;) {
    const { body } = await ask<Run>('GET', `/v1/runs/${id}`)
    if (body.status === status) return body
    expect(['queued', 'running']).toContain(body.status)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test("a tenant's limit pauses its running run with the reason; raised by the operator, the run goes on to its end", async () => {
  const { operatorFor, memberOf } = await openPriced()
  const [acme, rival] = [await memberOf('acme'), await memberOf('rival')]
  const limit = 0.02
  expect((await operatorFor('acme')<TenantLimits>('PUT', '/v1/limits', { cost: limit })).body).toMatchObject({
    tenant: 'acme',
    cost: limit,
    tokens: null,
    used: { cost: 0 },
  })
  const { id } = (await acme<Run>('POST', '/v1/runs', request)).body
  const paused = await until(acme, id, 'paused')
  expect(paused.status_reason).toMatch(/tenant's limit on cost is reached: .+ of \$0\.0200/)
  expect(paused.usage.cost).toBeGreaterThan(0)
  expect(paused.usage.cost).toBeLessThanOrEqual(limit)

  // Not its own doing, and no other tenant's trouble.
  const raise = { cost: null }
  expect(await acme('PUT', '/v1/limits', raise)).toMatchObject({
    status: 403,
    body: { error: { code: 'not_operator' } },
  })
  const other = (await rival<Run>('POST', '/v1/runs', request)).body
  await until(rival, other.id, 'succeeded')
  expect((await rival<TenantLimits>('GET', '/v1/limits')).body).toMatchObject({ tenant: 'rival', cost: null })
  await acme('POST', `/v1/runs/${id}/resume`, {})
  expect((await until(acme, id, 'paused')).usage.cost).toBeLessThanOrEqual(limit)

  expect((await operatorFor('acme')('PUT', '/v1/limits', { cost: 100 })).status).toBe(200)
  await acme('POST', `/v1/runs/${id}/resume`, {})
  const ended = await until(acme, id, 'succeeded')
  expect(ended.episodes).toMatchObject({ total: 8, errored: 0 })
  const used = async () => (await acme<TenantLimits>('GET', '/v1/limits')).body.used.cost
  await expect.poll(used).toBeCloseTo(ended.usage.cost ?? -1, 9)
})

test('what a tenant spent before it had a limit counts against it', async () => {
  const { operatorFor, memberOf } = await openPriced()
  const acme = await memberOf('acme')
  const first = (await acme<Run>('POST', '/v1/runs', request)).body
  const { input_tokens, output_tokens } = (await until(acme, first.id, 'succeeded')).usage
  const spent = input_tokens + output_tokens
  const used = async () => (await acme<TenantLimits>('GET', '/v1/limits')).body.used.tokens
  await expect.poll(used).toBe(spent)
  await operatorFor('acme')('PUT', '/v1/limits', { tokens: spent + 1 })
  const second = (await acme<Run>('POST', '/v1/runs', request)).body
  const { status_reason, usage } = await until(acme, second.id, 'paused')
  expect(status_reason).toContain("tenant's limit on tokens is reached")
  expect(usage.model_calls).toBe(0)
})

test('a limit stops the runs that were already going when it was set', async () => {
  const { operatorFor, memberOf } = await openPriced()
  const acme = await memberOf('acme')
  const endless = { ...request, tasks: { split: 'test' }, epochs: 100 }
  const { id } = (await acme<Run>('POST', '/v1/runs', endless)).body
  const calls = async () => (await acme<Run>('GET', `/v1/runs/${id}`)).body.usage.model_calls
  await expect.poll(calls).toBeGreaterThan(0)
  await operatorFor('acme')('PUT', '/v1/limits', { tokens: 1 })
  expect((await until(acme, id, 'paused')).status_reason).toContain("tenant's limit on tokens is reached")
})

test('a tenant whose money is limited cannot start a run without a known price', async () => {
  const { operatorFor, memberOf } = await openPriced()
  const acme = await memberOf('acme')
  const unpriced = { ...request, model: { endpoint: 'unpriced', id: 'any' } }
  await operatorFor('acme')('PUT', '/v1/limits', { tokens: 1 })
  expect((await acme('POST', '/v1/runs', unpriced)).status).toBe(201)
  await operatorFor('acme')('PUT', '/v1/limits', { cost: 1 })
  const { body, status } = await acme<ErrorBody>('POST', '/v1/runs', unpriced)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'unpriced_endpoint', param: 'model.endpoint' })
})
