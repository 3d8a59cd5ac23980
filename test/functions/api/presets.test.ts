import { expect, test } from 'vitest'
import type { RunRequest } from '../../../shared/core/contracts/run.ts'
import { openTestApi, readError } from './open-test-api.ts'

const body = {
  preset: 'eto',
  environment: 'webshop',
  model: { endpoint: 'simulated', id: 'simulated', temperature: 1 },
}

test('a body with a preset is written out before its defaults are filled in, for a run and for an estimate', async () => {
  const { post, services } = openTestApi()
  expect((await post('/v1/runs', body)).status).toBe(201)
  expect((await post('/v1/runs?dry_run=true', body)).status).toBe(200)
  const requests = services.calls.map(({ given }) => given[0] as RunRequest)
  for (const request of requests) {
    expect(request).toMatchObject({
      method: { id: 'react', max_steps: 10 },
      // 1 is what an absent temperature would be: stated, it is no default.
      model: { temperature: 1, max_tokens: 512, max_prompt_tokens: 3583 },
      tasks: { split: 'test' },
      preset: {
        id: 'eto',
        deviations: expect.arrayContaining([expect.stringMatching(/^model\.temperature is 1 /)]),
      },
    })
  }
})

test('a preset that is not there is refused by its field, and a body that is no object as before', async () => {
  const { post, services } = openTestApi()
  const unknown = await readError(await post('/v1/runs', { ...body, preset: 'lats' }))
  expect(unknown).toMatchObject({ status: 400, param: 'preset' })
  expect(await readError(await post('/v1/runs', []))).toMatchObject({ status: 400 })
  expect(services.calls).toEqual([])
})

test('presets are listed and shown with their sources and deviations', async () => {
  const { app } = openTestApi()
  const list = (await (await app.request('/v1/presets')).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toContain('learnact')
  const shown = await (await app.request('/v1/presets/learnact')).json()
  expect(shown).toMatchObject({ object: 'preset', id: 'learnact', deviations: expect.any(Array) })
  expect((await app.request('/v1/presets/lats')).status).toBe(404)
})
