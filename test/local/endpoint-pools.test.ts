import { describe, expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { EpisodeCalls } from '../../shared/core/contracts/episode-calls.ts'
import type { ErrorBody } from '../../shared/core/contracts/error-body.ts'
import type { RunEstimate } from '../../shared/core/contracts/estimate.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const priced = (output: number) =>
  endpointSchema.parse({ kind: 'simulated', prices: { '*': { input: 0, output } } })
const endpoints = new Map([
  ['cheap', priced(1)],
  ['dear', priced(10)],
  ['unpriced', endpointSchema.parse({ kind: 'simulated', prices: { other: { input: 0, output: 0 } } })],
])

async function openPools() {
  const service = await openService({ folder: await temporaryFolder(), endpoints, log: () => undefined })
  onTestFinished(() => service.close({ grace: 0 }))
  const get = async <Answer>(path: string) => (await (await service.app.request(path)).json()) as Answer
  const post = async <Answer>(path: string, model: object, more: object = {}) => {
    const body = JSON.stringify({
      environment: 'textcraft',
      tasks: { split: 'test', limit: 6 },
      method: { id: 'best-of-n', attempts: 2, max_steps: 3 },
      model: { id: 'simulated', ...model },
      ...more,
    })
    const headers = { 'Content-Type': 'application/json' }
    return (await (await service.app.request(path, { method: 'POST', headers, body })).json()) as Answer
  }
  return { get, post }
}

describe('a run that names several endpoints', () => {
  test('gives each its share of the episodes, and every call of an episode to one', async () => {
    const { get, post } = await openPools()
    const created = await post<Run>('/v1/runs', { endpoint: 'cheap=2,dear' })
    const run = await ended(get, created.id)
    const { data } = await get<List<Episode>>(`/v1/runs/${run.id}/episodes`)
    const played = await Promise.all(
      data.map(async ({ id, result }) => {
        const { calls } = await get<EpisodeCalls>(`/v1/runs/${run.id}/episodes/${id}/calls`)
        return { id, usage: result?.usage, models: new Set(calls.map(({ model }) => model)) }
      }),
    )
    const of = (model: string) => played.filter(({ models }) => models.has(model))
    expect(played.map(({ models }) => models.size)).toEqual([1, 1, 1, 1, 1, 1])
    expect([of('cheap/simulated').length, of('dear/simulated').length]).toEqual([4, 2])
    // Each is paid at the price of its endpoint.
    for (const [model, price] of [
      ['cheap/simulated', 1],
      ['dear/simulated', 10],
    ] as const)
      for (const { usage } of of(model))
        expect(usage?.cost).toBeCloseTo(((usage?.output_tokens ?? 0) * price) / 1e6, 9)
  })

  test('is estimated at the dearest, and refused with a limit on cost if one has no price', async () => {
    const { post } = await openPools()
    const estimate = (endpoint: string, more = {}) =>
      post<RunEstimate & ErrorBody>('/v1/runs?dry_run=true', { endpoint }, more)
    const [pool, dear] = await Promise.all([estimate('cheap,dear'), estimate('dear')])
    expect(pool.cost).toEqual(dear.cost)
    expect(await estimate('cheap,unpriced', { limits: { cost: 1 } })).toMatchObject({
      error: { code: 'unpriced_endpoint', message: expect.stringContaining('"unpriced"') },
    })
  })

  test('is refused if one of them is unknown, in a role too', async () => {
    const { post } = await openPools()
    expect(await post('/v1/runs', { endpoint: 'cheap,deer' })).toMatchObject({
      error: { code: 'unknown_endpoint', param: 'model.endpoint', message: expect.stringContaining('deer') },
    })
    const roles = { value: { endpoint: 'deer=2,cheap' } }
    expect(await post('/v1/runs', { endpoint: 'cheap' }, { roles })).toMatchObject({
      error: { code: 'unknown_endpoint', param: 'roles.value.endpoint' },
    })
  })
})

async function ended(get: <Answer>(path: string) => Promise<Answer>, id: string): Promise<Run> {
  for (;;) {
    const run = await get<Run>(`/v1/runs/${id}`)
    if (run.status === 'succeeded') return run
    if (run.status === 'failed' || run.status === 'paused') throw new Error(JSON.stringify(run))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
