import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../../functions/api/create-app.ts'
import { openEnvironmentServices } from '../../../functions/wiring/open-environment-services.ts'
import { wireService } from '../../../functions/wiring/wire-service.ts'
import { datasetRequestSchema } from '../../../shared/core/contracts/dataset.ts'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { loopRequestSchema } from '../../../shared/core/contracts/loop.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openLocalTrainer } from '../../../shared/learn/trainings/local/local-trainer.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import {
  type EndpointDirectory,
  openEndpointDirectory,
} from '../../../shared/play/models/endpoint-directory.ts'
import { loadEndpoints } from '../../../shared/play/models/load-endpoints.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../../shared/play/simulated/open-simulated-models.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { readError } from '../api/open-test-api.ts'

async function openService(name: World['name'] = 'local') {
  const world = { ...(await openTestWorld()), name }
  const models = openModels(await loadEndpoints({ path: null, environment: {} }), {
    simulated: openSimulatedModels,
    directory: openEndpointDirectory(world),
  })
  const folder = await temporaryFolder()
  const local = openLocalTrainer({ objects: world.objects, folder })
  const service = wireService({
    training: { trainers: new Map([['local', local]]), folder, folders: [] },
    methods: openMethods(),
    world,
    models,
    ...openEnvironmentServices({
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
    await service.engine.worker.stop(1)
    await models.close()
  })
  return Object.assign(service, { directory: models.directory as EndpointDirectory })
}

test('a registered model that a loop begins with is not deleted until the loop ends', async () => {
  const service = await openService()
  const { models } = service.api.tenant('mine')
  const loops = service.loops.of('mine')
  const weights = join(await temporaryFolder(), 'model.safetensors')
  await writeFile(weights, 'weights')
  const { id } = await models.register({ files: [{ name: 'model.safetensors', path: weights }] })
  const loop = await loops.create(
    loopRequestSchema.parse({
      recipe: 'rft',
      environment: 'textcraft',
      base: { registered: id },
      settings: { warm_start: 'none', expert_rows: false },
    }),
  )
  await expect(models.delete(id)).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining(`the loop ${loop.id}, which is queued`),
  })
  await loops.cancel(loop.id)
  await models.delete(id)
  await expect(models.get(id)).rejects.toMatchObject({ code: 'not_found' })
})

test("datasets and loops know a tenant's own endpoints and no other's", async () => {
  const { datasets, directory, loops } = await openService()
  const configuration = endpointSchema.parse({ kind: 'simulated' })
  await directory.add({ name: 'own-judge', configuration, origin: 'served', tenant: 'mine' })
  await directory.add({ name: 'foreign-judge', configuration, origin: 'served', tenant: 'theirs' })
  const ask = {
    dataset: (endpoint: string) =>
      datasets
        .of('mine')
        .create(
          datasetRequestSchema.parse({ kind: 'sft', runs: ['none'], format: 'openai', model: { endpoint } }),
        ),
    loop: (endpoint: string) =>
      loops.of('mine').create(
        loopRequestSchema.parse({
          recipe: 'rft',
          environment: 'textcraft',
          base: { hub: 'a/b' },
          settings: { warm_start: 'none', expert_rows: false },
          policy: { endpoint, id: 'm' },
        }),
      ),
  }
  for (const create of [ask.dataset, ask.loop]) {
    await expect(create('foreign-judge')).rejects.toMatchObject({ code: 'unknown_endpoint' })
    const unknown = await create('other').catch((error: Error) => error.message)
    expect(unknown).toContain('own-judge')
    expect(unknown).not.toContain('foreign-judge')
    const own = await create('own-judge').catch((error: unknown) => error)
    expect(own).not.toMatchObject({ code: 'unknown_endpoint' })
  }
})

test("an estimate knows a tenant's own earlier runs and no other's", async () => {
  const { api, engine } = await openService()
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

test.each([
  ['POST', '/v1/loops', { recipe: 'rft', environment: 'textcraft', base: { hub: 'a/b' } }, /makes no loops/],
  ['GET', '/v1/loops', undefined, /makes no loops/],
  ['POST', '/v1/registered-models', { folder: '/models/one' }, /register no models.*your own service does/],
  ['PUT', `/v1/weight-parts/${'0'.repeat(64)}`, 'weights', /register no models.*your own service does/],
])('a stage on AWS answers to %s %s that it does not do that', async (method, path, body, message) => {
  const { api } = await openService('aws')
  const app = createApp(api, {
    authenticate: () => ({ tenant: 'default', scopes: ['admin'], key: null }),
    log: () => undefined,
  })
  const isJson = typeof body === 'object'
  const answer = await app.request(path, {
    method,
    headers: { 'Content-Type': isJson ? 'application/json' : 'application/octet-stream' },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  })
  expect(await readError(answer)).toMatchObject({
    status: 409,
    code: 'not_supported',
    message: expect.stringMatching(message),
  })
})
