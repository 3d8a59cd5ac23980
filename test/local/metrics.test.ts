import { expect, onTestFinished, test } from 'vitest'
import { openService, type ServiceOptions } from '../../local/open-service.ts'
import { renderMetrics } from '../../local/render-metrics.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function open(options: Partial<ServiceOptions> = {}) {
  const service = await openService({ folder: await temporaryFolder(), log: () => undefined, ...options })
  onTestFinished(() => service.close({ grace: 0 }))
  return service
}

/** The samples of a text in Prometheus' format, by name and labels; every line has to be one, or a comment. */
function readSamples(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !/^# (HELP|TYPE) espalier_\w+ /.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^(espalier_\w+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? []
      expect(name, line).toBeDefined()
      return [name, Number(value)]
    }),
  )
}

test('metrics are the sums of the runs as they stand', async () => {
  const { app } = await open()
  const body = JSON.stringify({
    environment: 'textcraft',
    tasks: { limit: 2 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  const headers = { 'Content-Type': 'application/json' }
  const { id } = (await (await app.request('/v1/runs', { method: 'POST', headers, body })).json()) as Run
  await readAllEvents(await app.request(`/v1/runs/${id}/events`))
  const run = (await (await app.request(`/v1/runs/${id}`)).json()) as Run
  const answer = await app.request('/metrics')
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(readSamples(await answer.text())).toMatchObject({
    'espalier_runs{status="succeeded"}': 1,
    'espalier_runs{status="running"}': 0,
    'espalier_episodes{state="succeeded"}': run.episodes.succeeded,
    espalier_model_calls_total: run.usage.model_calls,
    'espalier_tokens_total{type="input"}': run.usage.input_tokens,
    'espalier_tokens_total{type="output"}': run.usage.output_tokens,
  })
})

test('a run without prices is counted as such, and not as free', async () => {
  const usage = { model_calls: 2, input_tokens: 2, cached_tokens: 0, output_tokens: 2, reasoning_tokens: 0 }
  const none = { succeeded: 0, failed: 0, cancelled: 0 }
  const totals = {
    runs: { ...none, succeeded: 2, queued: 0, running: 0, paused: 0 },
    episodes: { ...none, waiting: 0, active: 0, limited: 0, errored: 0 },
    usage: { ...usage, cost: 0.5 },
    lost_calls: 0,
    unpriced: 1,
    troubled: 0,
  }
  const queues = [{ queue: 'episodes', state: 'in_flight' as const, count: 3 }]
  const { text } = await renderMetrics({ totals, queues, version: '0.1.0' })
  expect(readSamples(text)).toMatchObject({
    espalier_cost_dollars_total: 0.5,
    espalier_unpriced_runs: 1,
    'espalier_queue_messages{queue="episodes",state="in_flight"}': 3,
    'espalier_info{version="0.1.0"}': 1,
  })
})

test('where keys are asked for, metrics ask for one that may read runs', async () => {
  const { app, word } = await open({ auth: 'keys' })
  expect((await app.request('/metrics')).status).toBe(401)
  const headers = { Authorization: `Bearer ${word}` }
  expect((await app.request('/metrics', { headers })).status).toBe(200)
})
