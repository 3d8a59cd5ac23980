import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const file = join(import.meta.dirname, '../../examples/guess-number.ts')
const environments = { 'guess-number': { kind: 'module', file, labels: ['gpu'] } }

async function settings(files: Record<string, object>): Promise<string> {
  const folder = join(await temporaryFolder(), 'settings')
  await mkdir(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content))
  return folder
}

const slow = { endpoints: { slow: { kind: 'simulated', latency: 50 } } }
const whole = { 'environments.json': { environments }, 'endpoints.json': slow }

// Services and workers are processes, and start slowly on a busy machine.
const polled = { timeout: 120_000, interval: 200 }

test('a run waits for a worker that has its labels, its environment and its endpoint', async () => {
  const world = ['--world', server.newWorld(), '--objects', await temporaryFolder()]
  const at = async (files: Record<string, object>) => ['--folder', await settings(files), '--places', '4']
  const own = ['--folder', await settings(whole), '--port', '0', '--workers', '1']
  const service = await startEspalier('serve', ...world, ...own)
  const { key } = await request<CreatedKey>(service, 'POST', '/v1/keys', {
    name: 'nodes',
    scopes: ['workers:join'],
  })
  const join_ = async (files: Record<string, object>, ...more: string[]) => {
    const words = ['--join', service.first.address as string, '--token', key]
    return startEspalier('worker', ...words, ...(await at(files)), ...more)
  }
  const workers = async () => (await request<List<WorkerInfo>>(service, 'GET', '/v1/workers')).data
  const run = () => request<Run>(service, 'GET', `/v1/runs/${id}`)
  const nameOf = ({ first }: Started) => first.worker as string

  const lacking = await Promise.all([
    join_({ 'endpoints.json': slow }, '--labels', 'gpu'),
    join_({ 'environments.json': { environments } }, '--labels', 'gpu'),
    join_(whole),
    startEspalier('worker', ...world, ...(await at({ 'endpoints.json': slow })), '--labels', 'gpu'),
  ])
  const { id } = await request<Run>(service, 'POST', '/v1/runs', {
    environment: 'guess-number',
    tasks: { split: 'test', limit: 4 },
    method: { id: 'react', max_steps: 3 },
    model: { endpoint: 'slow', id: 'simulated' },
  })
  await expect
    .poll(async () => (await run()).last_problem?.message, polled)
    .toContain('no worker with its environment and endpoints has the labels gpu')
  const described = async () =>
    (await workers()).map(({ kind, labels, status }) => [kind, labels, status]).toSorted()
  await expect.poll(described, polled).toEqual([
    ['joined', [], 'idle'],
    ['joined', ['gpu'], 'idle'],
    ['joined', ['gpu'], 'idle'],
    ['service', [], 'idle'],
    ['shared', ['gpu'], 'idle'],
  ])
  expect((await workers()).map(({ id }) => id)).toEqual(expect.arrayContaining(lacking.map(nameOf)))

  const able = await join_(whole, '--labels', 'gpu')
  await expect.poll(async () => (await run()).status, polled).toBe('succeeded')
  expect(await run()).toMatchObject({ last_problem: null, episodes: { total: 4, errored: 0 } })

  expect(await able.end('SIGTERM')).toBe(0)
  expect((await workers()).map(({ id }) => id)).not.toContain(nameOf(able))
  for (const worker of lacking) expect(await worker.end('SIGTERM')).toBe(0)
  expect((await workers()).map(({ kind }) => kind)).toEqual(['service'])
})
