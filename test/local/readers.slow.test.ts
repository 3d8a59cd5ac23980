import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../functions/api/log.ts'
import { listen } from '../../local/listen.ts'
import { openService } from '../../local/open-service.ts'
import { isLargeRead, readElsewhere } from '../../local/readers/read-elsewhere.ts'
import type { ReadAnswer, ReadRequest } from '../../local/readers/reader-messages.ts'
import { ReaderThread } from '../../local/readers/reader-thread.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { flipItem } from '../core/world/local/flip-bits.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const reading = async (folder: string) => ({
  folder,
  endpoints: [...(await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: {} }))],
  code: 'test',
  methodVersions: {},
  auth: 'none' as const,
})

async function openPlayed(entry?: string) {
  const folder = await temporaryFolder()
  const service = await openService({ folder, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const log: LogEntry[] = []
  const damaged: string[] = []
  const reader = new ReaderThread(
    { ...(await reading(folder)), word: service.word },
    (entry) => void log.push(entry),
    (name) => void damaged.push(name),
    entry,
  )
  onTestFinished(() => reader.close())
  const body = JSON.stringify({
    environment: 'textcraft',
    tasks: { limit: 3 },
    epochs: 2,
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  const headers = { 'Content-Type': 'application/json' }
  const run = (await (await service.app.request('/v1/runs', { method: 'POST', headers, body })).json()) as Run
  await readAllEvents(await service.app.request(`/v1/runs/${run.id}/events`))
  return { damaged, folder, log, reader, run: run.id, service }
}

const asked = (path: string, body?: object): ReadRequest => ({
  method: body === undefined ? 'GET' : 'POST',
  url: `http://localhost${path}`,
  headers: [['content-type', 'application/json']],
  body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  caller: 'test',
})

test('a reader answers as the service does, byte for byte', async () => {
  const { reader, run, service } = await openPlayed()
  expect(reader.isReady).toBe(false)
  await reader.start()
  expect(reader.isReady).toBe(true)
  const requests = [
    ...[
      '/v1/runs',
      '/v1/runs?name=none',
      `/v1/runs/${run}/report`,
      `/v1/runs/${run}/report?format=md`,
      `/v1/runs/${run}/curve`,
      `/v1/runs/${run}/episodes?sort=tokens&order=desc&limit=2`,
      `/v1/runs/${run}/episodes?status=succeeded`,
      `/v1/runs/${run}/episodes/ep-0000001`,
      '/v1/runs/run-unknown/report',
      `/v1/runs/${run}/report?unknown=1`,
      `/v1/reports/success?runs=${run}`,
      '/metrics',
      '/v1/transcripts?q=craft',
      '/v1/transcripts?q=craft&limit=2',
      '/v1/transcripts?q=%22',
    ].map((path) => ({ path, body: undefined })),
    { path: '/v1/reports/compare', body: { runs: [run, run] } },
    { path: '/v1/reports/leaderboard', body: { runs: [run] } },
    { path: '/v1/reports/compare', body: { runs: 'none' } },
  ]
  for (const { path, body } of requests) {
    const request = asked(path, body)
    const answer = await reader.read(request)
    const { body: sent, headers, method, url } = request
    const expected = await service.app.request(url, {
      method,
      headers,
      ...(sent && { body: Buffer.from(sent) }),
    })
    expect(Buffer.from(answer.body).toString(), path).toBe(await expected.text())
    expect(answer.status, path).toBe(expected.status)
    expect(new Map(answer.headers).get('content-type'), path).toBe(expected.headers.get('content-type'))
  }
})

test('a reader sees at once what the service has answered', async () => {
  const { reader, run, service } = await openPlayed()
  await reader.start()
  const headers = { 'Content-Type': 'application/json' }
  for (let round = 0; round < 20; round += 1) {
    const name = `round ${round}`
    await service.app.request(`/v1/runs/${run}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) })
    const { body } = await reader.read(asked('/v1/runs'))
    expect(JSON.parse(Buffer.from(body).toString()).data[0].request.name).toBe(name)
  }
})

test('damage that a reader meets is counted by the service', async () => {
  const { damaged, folder, reader, run, service } = await openPlayed()
  await reader.start()
  const { data } = (await (await service.app.request(`/v1/runs/${run}/episodes`)).json()) as List<Episode>
  const key = ledgerKeys.episode(run, data[0]?.id ?? '')
  flipItem(folder, key)
  const { status } = await reader.read(asked(`/v1/runs/${run}/episodes/${data[0]?.id}`))
  expect(status).toBe(507)
  expect(damaged).toEqual([`the item "${key.sort}" of "${key.partition}"`])
})

test('a reader that cannot start says why, and may be started again', async () => {
  const log: LogEntry[] = []
  const folder = await temporaryFolder()
  const reader = new ReaderThread({ ...(await reading(folder)), word: 'w' }, (entry) => void log.push(entry))
  onTestFinished(() => reader.close())
  await reader.start()
  expect(reader.isReady).toBe(false)
  expect(log).toMatchObject([
    { event: 'reader.ended', reason: expect.stringContaining('is not held by process') },
  ])
})

test('a thread that ends is replaced, and later reads wait for the next one', async () => {
  const { log, reader, run } = await openPlayed(join(import.meta.dirname, 'mortal-reader.ts'))
  await reader.start()
  const report = async () => Buffer.from((await reader.read(asked(`/v1/runs/${run}/report`))).body).toString()
  const before = await report()
  for (let round = 0; round < 2; round += 1) {
    await expect(reader.read(asked('/die'))).rejects.toMatchObject({ code: 'internal' })
    expect(reader.isReady).toBe(true)
    expect(await report()).toBe(before)
  }
  const end = { event: 'reader.ended', reason: expect.stringContaining('code 7') }
  expect(log.filter(({ event }) => event === 'reader.ended')).toMatchObject([end, end])
})

test('reads under way when the service stops are answered with an error', async () => {
  const { reader, run } = await openPlayed()
  await reader.start()
  const reads = Promise.allSettled(
    Array.from({ length: 20 }, () => reader.read(asked(`/v1/runs/${run}/report`))),
  )
  await reader.close()
  for (const read of await reads)
    if (read.status === 'rejected') expect(read.reason).toMatchObject({ code: 'internal' })
  await expect(reader.read(asked('/v1/runs'))).rejects.toMatchObject({ code: 'internal' })
})

test('what may read much goes to the reader once it is ready, all else stays', async () => {
  const read: string[] = []
  const reader = {
    isReady: false,
    start: async () => undefined,
    async read({ method, url }: ReadRequest): Promise<ReadAnswer> {
      read.push(`${method} ${new URL(url).pathname}`)
      return { status: 200, headers: [['x-from', 'reader']], body: Buffer.from('{}') }
    },
  }
  const here = { fetch: async () => new Response('here') }
  const app = readElsewhere(here, reader, () => undefined)
  const report = () => app.fetch(new Request('http://localhost/v1/runs/run-1/report'))
  expect(await (await report()).text()).toBe('here')
  reader.isReady = true
  expect((await report()).headers.get('x-from')).toBe('reader')
  await app.fetch(new Request('http://localhost/health'))
  await app.fetch(new Request('http://localhost/v1/runs/run-1/events'))
  const large = { method: 'POST', body: 'x', headers: { 'Content-Length': '5000000' } }
  expect(await (await app.fetch(new Request('http://localhost/v1/reports/compare', large))).text()).toBe(
    'here',
  )
  expect(read).toEqual(['GET /v1/runs/run-1/report'])
})

test('over a connection a reader’s answer has its bytes, status, headers and length', async () => {
  const body = Buffer.from(`{"é":"${'x'.repeat(200_000)}"}`)
  const answers = new Map<string, ReadAnswer>([
    [
      '/v1/runs',
      {
        status: 200,
        headers: [
          ['content-type', 'application/json'],
          ['x-request-id', 'a'],
        ],
        body,
      },
    ],
    ['/metrics', { status: 507, headers: [['content-type', 'text/plain']], body: Buffer.from('damaged') }],
    ['/v1/experiments', { status: 304, headers: [['etag', '"a"']], body: Buffer.alloc(0) }],
  ])
  const reader = {
    isReady: true,
    start: async () => undefined,
    read: async ({ url }: ReadRequest) => answers.get(new URL(url).pathname) as ReadAnswer,
  }
  const here = { fetch: async () => new Response('here') }
  const server = await listen(
    readElsewhere(here, reader, () => undefined),
    { host: '127.0.0.1', port: 0 },
  )
  onTestFinished(() => server.close(0))
  for (const [path, { body, headers, status }] of answers) {
    const answer = await fetch(new URL(path, server.address))
    expect(answer.status).toBe(status)
    expect([...answer.headers]).toEqual(expect.arrayContaining(headers))
    if (status !== 304) expect(answer.headers.get('content-length')).toBe(String(body.byteLength))
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true)
  }
  expect(await (await fetch(new URL('/health', server.address))).text()).toBe('here')
})

test.each([
  ['GET', '/v1/runs', true],
  ['GET', '/v1/runs/run-1', false],
  ['POST', '/v1/runs', false],
  ['GET', '/v1/runs/run-1/episodes', true],
  ['GET', '/v1/runs/run-1/episodes/ep-0000001/tree', true],
  ['GET', '/v1/runs/run-1/events', false],
  ['POST', '/v1/runs/run-1/cancel', false],
  ['POST', '/v1/reports/curves', true],
  ['GET', '/metrics', true],
  ['GET', '/v1/transcripts', true],
  ['GET', '/health', false],
])('%s %s is a large read: %s', (method, path, isLarge) => {
  expect(isLargeRead(method, path)).toBe(isLarge)
})
