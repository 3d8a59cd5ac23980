import { expect, onTestFinished, test } from 'vitest'
import { openEnvironmentParts } from '../../../functions/wiring/open-environment-parts.ts'
import { wireService } from '../../../functions/wiring/wire-service.ts'
import { openMethods } from '../../../shared/methods/methods.ts'
import { loadEndpoints } from '../../../shared/models/load-endpoints.ts'
import { openModels } from '../../../shared/models/model-pool.ts'
import { openSimulatedModels } from '../../../shared/simulated/open-simulated-models.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

test("an estimate knows a tenant's own earlier runs and no other's", async () => {
  const world = await openTestWorld()
  const models = openModels(await loadEndpoints({ path: null, environment: {} }), {
    simulated: openSimulatedModels,
  })
  const { api, engine } = wireService({
    methods: openMethods(),
    world,
    models,
    ...openEnvironmentParts({
      world,
      hosts: { call: () => Promise.reject(new Error('There are no hosts.')) },
    }),
    code: 'code',
    capacity: 8,
    onError: (error) => {
      throw error
    },
  })
  onTestFinished(async () => {
    await engine.worker.stop(1)
    await models.close()
  })
  await engine.worker.start()
  const request = toRequest({
    tasks: { split: 'test', limit: 2 },
    method: { id: 'react', max_steps: 3 },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  const { forecasts, runs } = api.tenant('mine')
  const { id } = await runs.create(request)
  while ((await runs.get(id)).status !== 'succeeded') await new Promise((resolve) => setTimeout(resolve, 10))
  expect((await forecasts.estimate(request)).basis).toMatchObject({ from: 'earlier_runs', runs: [id] })
  expect((await api.tenant('theirs').forecasts.estimate(request)).basis).toMatchObject({
    from: 'method',
    runs: [],
  })
})
