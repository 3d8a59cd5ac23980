import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import { endpointsFileSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { type Episode, episodeId } from '../../../shared/core/contracts/episode.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { episodePlace, runPlace } from '../../../shared/insight/telemetry/span-ids.ts'
import { readAllEvents } from '../../functions/api/read-events.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Collector, startCollector } from './collector.ts'

let collector: Collector

beforeEach(async () => {
  collector = await startCollector()
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.address
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json'
})

async function open(folder: string, { latency = 0, workers = 0 } = {}) {
  const { endpoints } = endpointsFileSchema.parse({
    endpoints: { simulated: { kind: 'simulated', latency } },
  })
  const service = await openService({
    folder,
    endpoints: new Map(Object.entries(endpoints)),
    log: () => undefined,
    workers,
  })
  onTestFinished(() => service.close({ grace: 0 }))
  return {
    service,
    get: async <Answer>(path: string) => (await (await service.app.request(path)).json()) as Answer,
    async create(limit: number): Promise<Run> {
      const body = JSON.stringify({
        environment: 'textcraft',
        tasks: { limit },
        max_parallel: 2,
        method: { id: 'react' },
        model: { endpoint: 'simulated', id: 'simulated' },
      })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await service.app.request('/v1/runs', { method: 'POST', headers, body })
      return (await answer.json()) as Run
    },
    finish: async (run: string) => readAllEvents(await service.app.request(`/v1/runs/${run}/events`)),
  }
}

const spansOf = (operation: string) =>
  collector.spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation)
const sum = (spans: Collector['spans'], name: string) =>
  spans.reduce((total, { attributes }) => total + Number(attributes[name]), 0)

test('a run, its episodes, their calls and steps are spans in the names of the GenAI conventions', async () => {
  process.env.OTEL_SERVICE_NAME = 'lab'
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=test'
  const { service, create, finish, get } = await open(await temporaryFolder())
  const { id } = await create(2)
  await finish(id)
  const run = await get<Run>(`/v1/runs/${id}`)
  const { data: episodes } = await get<List<Episode>>(`/v1/runs/${id}/episodes`)
  await service.close()
  expect(collector.requests.every(({ path }) => path === '/v1/traces')).toBe(true)
  expect(collector.resource).toMatchObject({
    'service.name': 'lab',
    'deployment.environment.name': 'test',
  })
  const calls = spansOf('chat')
  expect(calls).toHaveLength(run.usage.model_calls)
  expect(sum(calls, 'gen_ai.usage.input_tokens')).toBe(run.usage.input_tokens)
  expect(sum(calls, 'gen_ai.usage.output_tokens')).toBe(run.usage.output_tokens)
  expect(calls[0]).toMatchObject({
    name: 'chat simulated',
    kind: 3,
    attributes: {
      'gen_ai.provider.name': 'simulated',
      'gen_ai.request.model': 'simulated',
      'gen_ai.response.finish_reasons': ['stop'],
      'espalier.run.id': id,
    },
  })
  const steps = episodes.reduce((total, { result }) => total + (result?.steps ?? 0), 0)
  expect(spansOf('execute_tool')).toHaveLength(steps)
  const roots = spansOf('invoke_agent')
  expect(roots.map(({ traceId }) => traceId).sort()).toEqual(
    episodes.map(({ index }) => episodePlace({ run: id, index, generation: 1 }).traceId).sort(),
  )
  for (const root of roots) {
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
    expect(children.length).toBeGreaterThan(0)
    expect(children.every(({ traceId }) => traceId === root.traceId)).toBe(true)
    expect(root.parentSpanId ?? '').toBe('')
    expect(root).toMatchObject({ links: [runPlace(id, 1)] })
  }
  expect(collector.spans.filter(({ name }) => name === `run ${id}`)).toMatchObject([
    { ...runPlace(id, 1), attributes: { 'espalier.run.status': 'succeeded', 'espalier.run.episodes': 2 } },
  ])
})

test('what a journal answers after a stop is not traced again', async () => {
  const folder = await temporaryFolder()
  const first = await open(folder, { latency: 200 })
  // Most episodes have not begun when the service closes, however late that is.
  const { id } = await first.create(8)
  for (let calls = 0; calls < 2; ) {
    const events = await first.get<{ calls: unknown[] }>(`/v1/runs/${id}/episodes/${episodeId(0)}/calls`)
    calls = events.calls?.length ?? 0
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await first.service.close({ grace: 10 })
  const before = spansOf('chat').length
  expect(before).toBeGreaterThanOrEqual(2)
  const second = await open(folder)
  await second.finish(id)
  const { data: episodes } = await second.get<List<Episode>>(`/v1/runs/${id}/episodes`)
  await second.service.close()
  const used = episodes.reduce((total, { result }) => total + (result?.usage.model_calls ?? 0), 0)
  expect(spansOf('chat')).toHaveLength(used)
  expect(used).toBeGreaterThan(before)
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length)
  const traces = new Set(spansOf('chat').map(({ traceId }) => traceId))
  expect(new Set(spansOf('invoke_agent').map(({ traceId }) => traceId))).toEqual(traces)
})

test('what worker processes play is traced once, and so is the run', async () => {
  const { service, create, finish, get } = await open(await temporaryFolder(), { workers: 2 })
  const { id } = await create(4)
  await finish(id)
  const run = await get<Run>(`/v1/runs/${id}`)
  await service.close()
  expect(spansOf('chat')).toHaveLength(run.usage.model_calls)
  expect(spansOf('invoke_agent')).toHaveLength(4)
  expect(collector.spans.filter(({ name }) => name === `run ${id}`)).toHaveLength(1)
})

test('without a protocol spans are sent as Protobuf, without an endpoint none are', async () => {
  delete process.env.OTEL_EXPORTER_OTLP_PROTOCOL
  const { service, create, finish } = await open(await temporaryFolder())
  const { id } = await create(1)
  await finish(id)
  await service.close()
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', type: 'application/x-protobuf' })
  const bodies = Buffer.concat(collector.requests.map(({ body }) => body))
  const { traceId } = episodePlace({ run: id, index: 0, generation: 1 })
  expect(bodies.includes(Buffer.from(traceId, 'hex'))).toBe(true)
  expect(bodies.includes('gen_ai.usage.input_tokens')).toBe(true)
  const before = collector.requests.length
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  const silent = await open(await temporaryFolder())
  await silent.finish((await silent.create(1)).id)
  await silent.service.close()
  expect(collector.requests).toHaveLength(before)
})
