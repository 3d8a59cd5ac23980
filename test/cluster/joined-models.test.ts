import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { ModelServer } from '../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../shared/core/contracts/registered-model.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { startTlsFront } from './tls-front.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres([])
})
afterAll(() => postgres.remove())

const espalier = resolve(import.meta.dirname, '../../cli/espalier.ts')
const simulate = [process.execPath, espalier, 'simulate', '--port', '{port}', '--latency', '100']

async function weights(): Promise<string> {
  const folder = join(await temporaryFolder(), 'tiny')
  await mkdir(folder)
  await writeFile(join(folder, 'tiny.gguf'), Buffer.alloc(300_000, 7))
  return folder
}

async function openService() {
  const objects = await temporaryFolder()
  const words = ['--world', postgres.newWorld(), '--objects', objects, '--folder', await temporaryFolder()]
  const service = await startEspalier('serve', ...words, '--port', '0', '--workers', '1')
  const { key } = await request<CreatedKey>(service, 'POST', '/v1/keys', {
    ...{ name: 'gpu-1', scopes: ['hosts:join'] },
  })
  const front = await startTlsFront()
  const at = await front(service.first.address as string)
  const join_ = async (command: readonly string[]) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ servers: { driver: 'command', command } }))
    const words = ['--join', at, '--token', key, '--folder', folder, '--models', '1']
    return { folder, machine: await startEspalier('worker', ...words) }
  }
  const { id } = await request<RegisteredModel>(service, 'POST', '/v1/registered-models', {
    folder: await weights(),
  })
  return { service, model: id, join: join_ }
}

const serve = (service: Started, model: string) =>
  request<ModelServer>(service, 'POST', `/v1/registered-models/${model}/serve`, {})
const stateOf = (service: Started, model: string) =>
  request<ModelServer>(service, 'POST', `/v1/registered-models/${model}/serve`, {})

test('a run asks a model that a machine serves, and goes on at another when that machine is killed', async () => {
  const { service, model, join } = await openService()
  const [first, second] = [await join(simulate), await join(simulate)]
  const { endpoint, driver } = await serve(service, model)
  expect(driver).toBe('machine')
  const { id } = await request<Run>(service, 'POST', '/v1/runs', {
    ...{ environment: 'textcraft', method: { id: 'react' }, tasks: { split: 'test', limit: 30 } },
    model: { endpoint, id: model },
    max_parallel: 2,
  })
  const run = () => request<Run>(service, 'GET', `/v1/runs/${id}`)
  const settled = async () => {
    const { episodes } = await run()
    return episodes.succeeded + episodes.failed
  }
  await expect.poll(settled, { timeout: 120_000 }).toBeGreaterThan(2)
  const serving = await Promise.all(
    [first, second].map(async (each) => ({
      ...each,
      has: await readdir(`${each.folder}/served/${model}/files`).catch(() => []),
    })),
  )
  expect(serving.map(({ has }) => has).toSorted()).toEqual([[], ['tiny.gguf']])
  const killed = serving.find(({ has }) => has.length > 0)
  await killed?.machine.end('SIGKILL')
  await expect.poll(async () => (await run()).ended_at, { timeout: 240_000 }).not.toBe(null)
  const { episodes, status } = await run()
  expect([status, episodes.errored, episodes.succeeded + episodes.failed]).toEqual(['succeeded', 0, 30])
  const [left] = serving.filter((each) => each !== killed)
  expect(await readdir(`${left?.folder}/served/${model}/files`)).toEqual(['tiny.gguf'])
  expect(await left?.machine.end('SIGTERM')).toBe(0)
  expect(await readdir(`${left?.folder}/served`)).toEqual([])
})

test('a server that does not start says why, and without a machine the service starts none', async () => {
  const { service, model, join } = await openService()
  const broken = await join([process.execPath, '-e', 'console.error("out of memory"); process.exit(3)'])
  await serve(service, model)
  await expect.poll(async () => (await stateOf(service, model)).state, { timeout: 60_000 }).toBe('failed')
  const { note, log_tail } = await stateOf(service, model)
  expect([note, log_tail]).toEqual(['it ended with code 3', ['out of memory']])
  expect(await broken.machine.end('SIGTERM')).toBe(0)
  await expect(
    request(service, 'POST', `/v1/registered-models/${model}/serve`, { driver: 'machine' }),
  ).rejects.toThrow(/machine: no machine serves models: start espalier worker/)
})
