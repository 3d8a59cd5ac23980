import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Started, startEspalier } from './processes.ts'
import { request } from './request.ts'

const episodes = 200
const kills = 5
/** US dollars per million tokens, and per call. */
const price = { input: 1, output: 2, request: 0.001 }

interface Stats {
  calls: number
  unique_calls: number
  input_tokens: number
  output_tokens: number
}

function costOf({ calls, input_tokens, output_tokens }: Stats): number {
  return calls * price.request + (input_tokens * price.input + output_tokens * price.output) / 1e6
}

test('a service killed five times with SIGKILL gives every result once and counts every call that was made', async () => {
  const folder = await temporaryFolder()
  const model = await startEspalier('simulate', '--port', '0', '--skill', '0.6', '--latency', '80')
  const { base_url, call_log_url, stats_url } = model.first as Record<string, string>
  const endpoint = { kind: 'openai', base_url, call_log_url, prices: { '*': price } }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { remote: endpoint } }))

  let service = await startService(folder)
  const created = await request<Run>(service, 'POST', '/v1/runs', {
    environment: 'textcraft',
    method: { id: 'react' },
    tasks: { split: 'test', limit: 100 },
    epochs: episodes / 100,
    model: { endpoint: 'remote', id: 'simulated' },
    max_parallel: 24,
    limits: { cost: 100 },
  })
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilEnded(service, created.id, (episodes * kill) / (kills + 2))
    await service.end('SIGKILL')
    service = await startService(folder)
  }
  await untilEnded(service, created.id, episodes)
  const stats = (await (await fetch(stats_url as string)).json()) as Stats
  // The sweeper counts the calls of killed processes, which may be after the run's end.
  const read = () => request<Run>(service, 'GET', `/v1/runs/${created.id}`)
  await expect.poll(async () => (await read()).usage.model_calls).toBe(stats.calls)
  const run = await read()
  const listed = await request<List<Episode>>(service, 'GET', `/v1/runs/${run.id}/episodes?limit=1000`)

  expect(run.status).toBe('succeeded')
  expect(run.episodes.succeeded + run.episodes.failed).toBe(episodes)
  expect(new Set(listed.data.map(({ task, epoch }) => `${task}/${epoch}`)).size).toBe(episodes)
  expect(listed.data.every(({ result }) => typeof result?.reward === 'number')).toBe(true)
  const events = await endedEpisodes(service, run.id)
  expect(events).toHaveLength(episodes)
  expect(new Set(events).size).toBe(episodes)

  const used = listed.data.reduce((sum, { result }) => sum + (result?.usage.model_calls ?? 0), 0)
  console.log(
    `${stats.calls} calls at the server, ${run.usage.model_calls} counted, ${run.lost_calls} of them lost in flight`,
  )
  expect(run.usage.cost).toBeCloseTo(costOf(stats), 9)
  expect(stats.unique_calls).toBe(stats.calls)
  expect(run.usage.model_calls - run.lost_calls).toBeGreaterThanOrEqual(used)
  expect(run.lost_calls).toBeGreaterThan(0)

  expect(await service.end('SIGTERM')).toBe(0)
  await model.end('SIGTERM')
})

async function startService(folder: string): Promise<Started> {
  return startEspalier('serve', '--folder', folder, '--port', '0')
}

async function untilEnded(service: Started, run: string, count: number): Promise<void> {
  for (;;) {
    const { episodes: counts, status } = await request<Run>(service, 'GET', `/v1/runs/${run}`)
    if (counts.succeeded + counts.failed + counts.errored >= count || status === 'paused') return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** The episodes that the event stream reports, in full. */
async function endedEpisodes(service: Started, run: string): Promise<string[]> {
  const text = await (await fetch(`${service.first.address}/v1/runs/${run}/events`)).text()
  return [...text.matchAll(/^event: episode\.ended\ndata: (.*)$/gm)].map(
    (match) => JSON.parse(match[1] as string).episode,
  )
}
