import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const free = { input: 0, output: 0 }

/** A service whose simulated endpoint states a price for `priced` and none for any other model. */
async function openHalfPriced() {
  const simulated = endpointSchema.parse({ kind: 'simulated', prices: { priced: free } })
  const service = await openService({
    folder: await temporaryFolder(),
    endpoints: new Map([['simulated', simulated]]),
    log: () => {},
  })
  onTestFinished(() => service.close({ grace: 0 }))
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Run & { error?: object } }
  }
  const until = async (id: string, status: string) => {
    for (;;) {
      const run = (await (await service.app.request(`/v1/runs/${id}`)).json()) as Run
      if (run.status === status) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return { post, until }
}

const asked = (model: string, more: object = {}) => ({
  environment: 'textcraft',
  tasks: { split: 'test', limit: 2 },
  method: { id: 'react', max_steps: 2 },
  model: { endpoint: 'simulated', id: model },
  ...more,
})
const refusal = (param: string) => ({
  status: 400,
  body: { error: { code: 'unpriced_endpoint', param, message: expect.stringContaining('"unpriced"') } },
})

test.each(['/v1/runs', '/v1/runs?dry_run=true'])('%s refuses a cost limit without prices', async (path) => {
  const { post } = await openHalfPriced()
  const roles = { value: { endpoint: 'simulated', id: 'unpriced' } }
  for (const model of ['unpriced', 'priced']) {
    const more = model === 'priced' ? { roles } : {}
    expect(await post(path, asked(model, { ...more, limits: { cost: 1 } }))).toMatchObject(
      refusal('limits.cost'),
    )
    expect(await post(path, asked(model, { ...more, episode_limits: { cost: 1 } }))).toMatchObject(
      refusal('episode_limits.cost'),
    )
  }
  expect((await post(path, asked('priced', { limits: { cost: 1 } }))).status).toBeLessThan(300)
})

test('a run without prices cannot be given a cost limit later, and stays as it was', async () => {
  const { post, until } = await openHalfPriced()
  const { id } = (await post('/v1/runs', asked('unpriced', { limits: { tokens: 10 } }))).body
  await until(id, 'paused')
  expect(await post(`/v1/runs/${id}/resume`, { limits: { cost: 1 } })).toMatchObject(refusal('limits.cost'))
  expect((await post(`/v1/runs/${id}/resume`, { limits: { tokens: 1_000_000 } })).status).toBe(200)
  await until(id, 'succeeded')
  for (const field of ['limits', 'episode_limits']) {
    const extension = { method: { max_steps: 3 }, [field]: { cost: 1 } }
    expect(await post(`/v1/runs/${id}/extend`, extension)).toMatchObject(refusal(`${field}.cost`))
  }
  await until(id, 'succeeded')
})
