import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ModelServer } from '../../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openAccelerators } from '../../../shared/learn/registry/accelerators.ts'
import type { ModelRegistry } from '../../../shared/learn/registry/model-registry.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { vllmDriver } from '../../../shared/learn/serving/gpu-drivers.ts'
import type { ModelServers } from '../../../shared/learn/serving/model-servers.ts'
import { openModelServers } from '../../../shared/learn/serving/open-model-servers.ts'
import { ServedCalls } from '../../../shared/learn/serving/served-calls.ts'
import {
  commandDriver,
  type ServerDriver,
  serverDrivers,
} from '../../../shared/learn/serving/server-driver.ts'
import { superviseServers } from '../../../shared/learn/serving/supervise-servers.ts'
import {
  type EndpointDirectory,
  openEndpointDirectory,
} from '../../../shared/play/models/endpoint-directory.ts'
import { type ModelPool, openModels } from '../../../shared/play/models/model-pool.ts'
import { chatRequest } from '../../play/models/chat-request.ts'
import { recordingMeter } from '../../play/models/recording-meter.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const program = join(import.meta.dirname, 'scripted-model-server.ts')
/** What serves on a GPU, of which this machine needs none. */
const gpuDriver: ServerDriver = {
  ...commandDriver,
  name: 'vllm',
  usesAccelerator: true,
  prepare: async (job) => {
    const { files, port, model } = job
    if (model.format === 'adapter') asked = await vllmDriver().prepare(job)
    return [process.execPath, program, String(port), model.name, files]
  },
}
/** The command that vLLM would have had. */
let asked: string[]
const command = [process.execPath, program, '{port}', '{name}', '{folder}']

let world: World
let registry: ModelRegistry
let directory: EndpointDirectory
let servers: ModelServers
let models: ModelPool
let errors: unknown[]
/** Where the files of served models are written. */
let folder: string

beforeEach(async () => {
  world = await openTestWorld()
  errors = []
  const onError = (error: unknown) => errors.push(error)
  const tenants = openModelRegistry({ world })
  registry = tenants.of('default')
  directory = openEndpointDirectory(world)
  const drivers = serverDrivers([gpuDriver, commandDriver])
  servers = openModelServers({
    world,
    registry: tenants,
    directory,
    isTaken: () => false,
    checkBase: () => {
      throw new EspalierError('invalid_request', 'No such base.', { param: 'base.folder' })
    },
    drivers,
    remoteEndpoint: () => null,
  }).of('default')
  folder = await temporaryFolder()
  await mkdir(join(folder, 'model-of-an-earlier-service'))
  const supervisor = superviseServers({ world, registry: tenants, drivers, folder, onError })
  onTestFinished(() => supervisor.stop())
  // As another process would have it.
  models = openModels(new Map(), {
    directory: openEndpointDirectory(world),
    servers: new ServedCalls({ ...world, onError }),
  })
  onTestFinished(() => models.close())
})

async function register(name: string, others: string[] = []): Promise<RegisteredModel> {
  const folder = join(await temporaryFolder(), name)
  await mkdir(folder)
  const names = ['model.safetensors', ...others]
  for (const each of names) await writeFile(join(folder, each), randomBytes(100))
  return registry.register({ files: names.map((each) => ({ name: each, path: join(folder, each) })) })
}

async function ask(endpoint: string, content = 'Say hello.'): Promise<string> {
  const request = chatRequest({ model: 'any', messages: [{ role: 'user', content }] })
  const answer = await models.model(endpoint).complete(request, { meter: recordingMeter() })
  return answer.choices[0]?.content ?? ''
}

async function untilState(model: string, state: ModelServer['state']): Promise<ModelServer> {
  return expect
    .poll(() => servers.get(model))
    .toMatchObject({ state })
    .then(() => servers.get(model))
}

test('a call to a served model starts its server, waits for it, and is asked for the model by its id', async () => {
  const model = await register('mine')
  const endpoint = await servers.serve(model.id, { driver: 'command', command })
  expect(endpoint).toBe('mine')
  expect(await ask(endpoint)).toContain(`${model.id} as ${model.id}`)
  expect((await registry.get(model.id)).endpoint).toBe('mine')
  expect(await servers.list()).toMatchObject([{ id: model.id, state: 'running', restarts: 0 }])
  await expect(registry.delete(model.id)).rejects.toThrow('it is served as "mine"')
  await servers.stop(model.id)
  // Another process reads the directory again after half a second at the latest.
  await models.refresh()
  await expect(ask(endpoint)).rejects.toMatchObject({ code: 'unknown_endpoint' })
  await registry.delete(model.id)
  expect(errors).toEqual([])
})

test('a server that ends under a call is started again, and the call is answered', async () => {
  const model = await register('mortal')
  await servers.serve(model.id, { driver: 'command', command })
  const first = await ask('mortal')
  const second = await ask('mortal', 'die')
  expect(second).toContain(`${model.id} as ${model.id}`)
  expect(second).not.toBe(first)
  expect(await untilState(model.id, 'running')).toMatchObject({ restarts: 1 })
})

test('a server that does not start fails the call with its last lines, and is tried again later', async () => {
  const model = await register('broken', ['broken'])
  await servers.serve(model.id, { driver: 'command', command })
  await expect(ask('broken')).rejects.toMatchObject({
    failure: 'refused',
    message: expect.stringContaining('CUDA error: out of memory'),
  })
  expect(await servers.get(model.id)).toMatchObject({ state: 'failed', address: null })
})

test('a server that is not used is stopped, and the next call starts it again', async () => {
  const model = await register('idle')
  await servers.serve(model.id, { driver: 'command', command, idle_minutes: 0.002 })
  const first = await ask('idle')
  await untilState(model.id, 'stopped')
  expect(await ask('idle')).not.toBe(first)
})

test('the files of a model are written while it is served, and removed once it is not', async () => {
  const [one, other] = [await register('one'), await register('other')]
  for (const { id } of [one, other]) await servers.serve(id, { driver: 'command', command })
  await Promise.all([ask('one'), ask('other')])
  expect((await readdir(folder)).toSorted()).toEqual([one.id, other.id].toSorted())
  await servers.stop(one.id)
  await expect.poll(() => readdir(folder)).toEqual([other.id])
  expect(await ask('other')).toContain(other.id)
  expect(errors).toEqual([])
})

test('models on one accelerator are served in turn, and after a training', async () => {
  const [one, other] = [await register('one'), await register('other')]
  const accelerators = openAccelerators(world)
  expect(await accelerators.take('gpu', 'training/training-1')).toBe(true)
  for (const { id } of [one, other]) await servers.serve(id, { driver: 'vllm', idle_minutes: 0.002 })
  const answers = Promise.all([ask('one'), ask('other')])
  await expect
    .poll(async () => (await servers.get(one.id)).note)
    .toContain('which the training training-1 has')
  await accelerators.release('gpu', 'training/training-1')
  expect((await answers).map((answer) => answer.split(' ')[0])).toEqual(['one', 'other'])
})

test('names that are taken give way to the id, and drivers that cannot serve say why', async () => {
  const [one, other] = [await register('same'), await register('same')]
  expect(await servers.serve(one.id, { driver: 'command', command })).toBe('same')
  expect(await servers.serve(other.id, { driver: 'command', command })).toBe(other.id)
  const none = openModelServers({
    world,
    registry: openModelRegistry({ world }),
    directory,
    isTaken: () => false,
    checkBase: () => {
      throw new EspalierError('invalid_request', 'No such base.', { param: 'base.folder' })
    },
    drivers: null,
    remoteEndpoint: () => null,
  }).of('default')
  await expect(none.serve(one.id)).rejects.toMatchObject({ code: 'not_supported' })
  await expect(servers.serve('model-0')).rejects.toMatchObject({ code: 'not_found' })
})

test('an adapter is served beside the files of its base, and only one that the service may read', async () => {
  const base = await register('base')
  const files = await temporaryFolder()
  for (const [name, text] of [
    ['adapter_config.json', '{"r": 8}'],
    ['adapter_model.safetensors', 'delta'],
  ] as const)
    await writeFile(join(files, name), text)
  const named = (await readdir(files)).map((name) => ({ name, path: join(files, name) }))
  const adapter = await registry.register({ name: 'tuned', files: named, parent: base.id })
  await servers.serve(adapter.id, { driver: 'vllm' })
  expect(await ask('tuned')).toContain(adapter.id)
  const [, , weights = ''] = asked
  expect(await readdir(weights)).toEqual(['model.safetensors'])
  expect(asked.at(-1)).toBe(JSON.stringify({ name: adapter.id, path: join(folder, adapter.id, 'files') }))

  const elsewhere = await registry.register({ name: 'other', files: named, base: { folder: '/secret/base' } })
  await expect(servers.serve(elsewhere.id, { driver: 'vllm' })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'base.folder',
  })
})
