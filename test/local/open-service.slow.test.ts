import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openService, type ServiceOptions } from '../../local/open-service.ts'
import type { Dataset, LineageRow } from '../../shared/core/contracts/dataset.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { readServiceFile } from '../../shared/core/world/local/service-file.ts'
import { readError } from '../functions/api/open-test-api.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const request = {
  environment: 'textcraft',
  tasks: { split: 'train', limit: 3 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
}

async function openTestService(options: Partial<ServiceOptions> = {}) {
  const folder = options.folder ?? (await temporaryFolder())
  const service = await openService({ folder, log: () => undefined, ...options })
  onTestFinished(() => service.close({ grace: 1 }))
  const call = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await service.app.request(new URL(path, service.address), body === undefined ? {} : init)
    if (!answer.ok && answer.status !== 307) throw new Error(await answer.text())
    const { status } = answer
    return status === 307 ? call(answer.headers.get('Location') ?? '') : ((await answer.json()) as Answer)
  }
  const finish = async (run: string) => readAllEvents(await service.app.request(`/v1/runs/${run}/events`))
  return { ...service, folder, call, finish }
}

test('a run is played to its end, and everything it leaves can be had over HTTP', async () => {
  const { call, finish } = await openTestService()
  const run = await call<Run>('/v1/runs', request)
  const events = await finish(run.id)
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
  expect(events.filter(({ event }) => event === 'episode.ended')).toHaveLength(3)

  const episodes = await call<List<Episode>>(`/v1/runs/${run.id}/episodes`)
  expect(episodes.data.map(({ index }) => index)).toEqual([0, 1, 2])
  const [episode] = episodes.data
  const tree = await call<{ nodes: unknown[] }>(`/v1/runs/${run.id}/episodes/${episode?.id}/tree`)
  expect(tree.nodes).toHaveLength(episode?.result?.nodes ?? -1)
  const trajectory = await call(`/v1/runs/${run.id}/episodes/${episode?.id}/trajectory`)
  expect(trajectory).toMatchObject({ schema_version: 'ATIF-v1.6' })
  expect(await call(`/v1/runs/${run.id}/report`)).toMatchObject({ run: run.id, simulated: true })
  const comparison = await call('/v1/reports/compare', {
    runs: [run.id, (await call<Run>('/v1/runs', request)).id],
  })
  expect(comparison).toMatchObject({ object: 'comparison' })
})

test('a dataset is built, and its files download through their addresses', async () => {
  const { app, call, finish } = await openTestService()
  const run = await call<Run>('/v1/runs', request)
  await finish(run.id)
  const { id } = await call<Dataset>('/v1/datasets', { runs: [run.id], parameters: { min_reward: 0 } })
  await expect.poll(async () => (await call<Dataset>(`/v1/datasets/${id}`)).status).toBe('succeeded')
  const files = await call<List<{ id: string; url: string; bytes: number }>>(`/v1/datasets/${id}/files`)
  expect(files.data.map((file) => file.id)).toContain('manifest.json')
  for (const file of files.data) {
    const answer = await app.request(file.url)
    expect(answer.status, file.id).toBe(200)
    expect((await answer.arrayBuffer()).byteLength, file.id).toBe(file.bytes)
  }
})

test('every row of a downloaded dataset leads by its lineage to a node of a tree that the API gives', async () => {
  const { app, call, finish } = await openTestService()
  const run = await call<Run>('/v1/runs', { ...request, method: { id: 'mcts', iterations: 2, samples: 2 } })
  await finish(run.id)
  const { id } = await call<Dataset>('/v1/datasets', { runs: [run.id] })
  await expect.poll(async () => (await call<Dataset>(`/v1/datasets/${id}`)).status).toBe('succeeded')
  const { data } = await call<List<{ id: string; url: string }>>(`/v1/datasets/${id}/files`)
  const lines = async <Row>(name: string): Promise<Row[]> => {
    const answer = await app.request(data.find((file) => file.id === name)?.url ?? '')
    const text = gunzipSync(await answer.arrayBuffer()).toString('utf8')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
  }
  const rows = await lines<{ messages: { role: string; content: string }[] }>('data-00001.jsonl.gz')
  const lineage = await lines<LineageRow>('lineage-00001.jsonl.gz')
  expect(rows.length).toBeGreaterThan(0)
  expect(lineage).toHaveLength(rows.length)
  for (const [index, { messages }] of rows.entries()) {
    const { source, episode, node_ids, reward } = (lineage[index] as LineageRow).origin
    const tree = await call<Tree>(`/v1/runs/${source}/episodes/${episode}/tree`)
    const path = node_ids.map((node) => tree.nodes[node])
    expect(path.map((node) => node?.parent)).toEqual([null, ...node_ids.slice(0, -1)])
    expect(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual(
      path.slice(1).map((node) => node?.message),
    )
    expect(path.at(-1)).toMatchObject({ reward, done: true })
  }
})

test('requests that cannot be played create nothing', async () => {
  const { app, call } = await openTestService({ work: false })
  const wrong: [object, string, string][] = [
    [{ environment: 'textcarft' }, 'unknown_environment', 'environment'],
    [{ method: { id: 'mcst' } }, 'unknown_method', 'method.id'],
    [{ method: { id: 'mcts', iteration: 3 } }, 'unknown_field', 'method.iteration'],
    [{ model: { endpoint: 'nowhere', id: 'x' } }, 'unknown_endpoint', 'model.endpoint'],
    [{ tasks: { ids: ['textcraft-nothing'] } }, 'unknown_task', 'tasks.ids'],
  ]
  for (const [part, code, param] of wrong) {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const answer = await app.request('/v1/runs', { ...init, body: JSON.stringify({ ...request, ...part }) })
    expect(await readError(answer)).toMatchObject({ status: 400, code, param })
  }
  expect(await call<List<Run>>('/v1/runs')).toMatchObject({ data: [] })
})

test('a reused idempotency key answers the first run, and refuses another request', async () => {
  const { app } = await openTestService({ work: false })
  const send = (body: object) =>
    app.request('/v1/runs', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      body: JSON.stringify(body),
    })
  const first = (await (await send(request)).json()) as Run
  expect(((await (await send(request)).json()) as Run).id).toBe(first.id)
  expect(await readError(await send({ ...request, seed: 1 }))).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
})

test('the catalogue shows what can be played', async () => {
  const { call } = await openTestService({ work: false })
  const ids = async (path: string) => (await call<List<{ id: string }>>(path)).data.map(({ id }) => id)
  expect(await ids('/v1/environments')).toContain('textcraft')
  expect(await ids('/v1/methods')).toEqual(expect.arrayContaining(['react', 'mcts']))
  expect(await ids('/v1/models')).toContain('simulated')
  expect(await ids('/v1/environments/textcraft/tasks?split=test&limit=2')).toHaveLength(2)
  await expect(call('/v1/environments/textcraft/tasks?split=exam')).rejects.toThrow(/Choose one of: .*test/)
})

test('what one service left unfinished, the next one finishes', async () => {
  const first = await openTestService({ work: false })
  const run = await first.call<Run>('/v1/runs', request)
  await first.close()
  const second = await openTestService({ folder: first.folder })
  const events = await second.finish(run.id)
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
})

test('the service shows other processes where it listens, and a second one on its folder is refused', async () => {
  const { folder, address, close } = await openTestService({ port: 0 })
  expect(await readServiceFile(folder)).toMatchObject({ pid: process.pid, address })
  await expect(openService({ folder })).rejects.toMatchObject({ code: 'conflict' })
  expect((await fetch(`${address}/health`)).status).toBe(200)
  await close()
  expect(await readServiceFile(folder)).toBeNull()
  await expect(fetch(`${address}/health`)).rejects.toThrow()
})

test('a port in use leaves the folder free', async () => {
  const { address } = await openTestService({ port: 0 })
  const folder = await temporaryFolder()
  const port = Number(new URL(address).port)
  await expect(openService({ folder, port, log: () => undefined })).rejects.toMatchObject({ param: 'port' })
  const second = await openTestService({ folder })
  expect(await second.call('/health')).toMatchObject({ status: 'ok', world: 'local' })
})
