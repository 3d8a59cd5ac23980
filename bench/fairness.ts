import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { report } from './figure.ts'
import { serveFolder, timeRequests } from './served-requests.ts'

/**
 * Measures `GET /v1/runs` while workers play 200 searches with a model that answers immediately, compared with an
 * idle service.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 20)

const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
const { address, call, allPlay, stop } = await serveFolder(folder)
await allPlay()
const idle = await timeRequests(address, '/v1/runs', 5)
const request = {
  environment: exampleEnvironment,
  method: { id: 'mcts' },
  tasks: { split: 'train', limit: 200 },
  // Enough to outlast the measurement.
  epochs: 10,
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 200,
}
const run = await call<{ id: string }>('/v1/runs', request)
await new Promise((resolve) => setTimeout(resolve, 3000))
const busy = await timeRequests(address, '/v1/runs', seconds)
const creations: number[] = []
for (let count = 0; count < 5; count += 1) {
  const start = performance.now()
  await call('/v1/runs', { ...request, tasks: { split: 'test', limit: 1 }, epochs: 1 })
  creations.push(performance.now() - start)
}
const { status, usage } = await call<{ status: string; usage: { model_calls: number } }>(`/v1/runs/${run.id}`)
if (status !== 'running') throw new Error(`The run was ${status} before all was measured.`)
const { workers } = await call<{ workers?: { wanted: number } }>('/health')
await call(`/v1/runs/${run.id}/cancel`, {})
await stop()
await rm(folder, { recursive: true, force: true })
report({
  what: `GET /v1/runs, 20 times a second, while 200 mcts tasks play with a model of zero latency in ${workers?.wanted ?? 0} workers (${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)})`,
  value: `p50 ${busy.median.toFixed(0)} ms, p99 ${busy.p99.toFixed(0)} ms, ${busy.failed} of ${busy.requests} failed; creating a run ${Math.max(...creations).toFixed(0)} ms at most, of ${creations.length}; ${usage.model_calls} model calls meanwhile`,
  ratio: `${(busy.p99 / idle.p99).toFixed(1)} × the p99 of the idle service (${idle.p99.toFixed(0)} ms)`,
  aim: 'p99 ≤ 250 ms on 2 cores',
})
