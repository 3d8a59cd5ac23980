import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runRequestSchema } from '../shared/contracts/run.ts'
import { loadEndpoints } from '../shared/models/load-endpoints.ts'
import { openModels } from '../shared/models/model-pool.ts'
import { memory, processorTime, report } from './figure.ts'
import { openBenchEngine } from './open-bench-engine.ts'

/** Episodes in flight at once, and the seconds that the model takes for an answer. */
const loads = [
  { parallel: 1000, latency: 1 },
  { parallel: 300, latency: 0.2 },
]
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

for (const load of loads) await measure(load)

async function measure({ parallel, latency }: (typeof loads)[number]): Promise<void> {
  const ideal = parallel / latency
  const server = spawn(process.execPath, [join(import.meta.dirname, 'simulated-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LATENCY: String(latency * 1000) },
  })
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const path = join(folder, 'endpoints.json')
  const endpoint = {
    kind: 'openai',
    ...JSON.parse(line),
    max_concurrency: 2000,
    prices: { '*': { input: 1, output: 2 } },
  }
  await writeFile(path, JSON.stringify({ endpoints: { bench: endpoint } }))
  const models = openModels(await loadEndpoints({ path, environment: {} }))
  const idle = memory()
  const engine = await openBenchEngine(models.model('bench'), parallel)
  const request = runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'react' },
    tasks: { split: 'train' },
    epochs: 30,
    model: { endpoint: 'bench', id: 'simulated' },
    max_parallel: parallel,
    limits: { cost: 1000 },
  })

  const calls = async () => (await engine.runs.get(id)).usage.model_calls
  const { id } = await engine.runs.create(request)
  const begun = performance.now()
  for (let last = 0, rate = 0; rate < ideal * 0.9 && performance.now() - begun < 60_000; ) {
    const now = await calls()
    rate = now - last
    last = now
    await sleep(1000)
  }
  const [callsBefore, timeBefore, start] = [await calls(), processorTime(), performance.now()]
  let highest = 0
  while (performance.now() - start < seconds * 1000) {
    await sleep(500)
    highest = Math.max(highest, memory())
  }
  const elapsed = (performance.now() - start) / 1000
  const made = (await calls()) - callsBefore
  const used = processorTime() - timeBefore
  await engine.runs.cancel(id)
  await engine.close()
  await models.close()
  server.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
  report(
    {
      what: `${parallel} episodes in flight, a model of ${latency} s in another process, ${elapsed.toFixed(0)} s after the ramp`,
      value: `${(made / elapsed).toFixed(0)} calls/s, ${(used / made).toFixed(3)} ms processor time a call (HTTP client included)`,
      ratio: `${((100 * made) / elapsed / ideal).toFixed(1)} % of the ideal ${ideal} calls/s`,
      aim: '≥ 95 % on 2 cores, ≤ 0.7 ms',
    },
    {
      what: `Memory with ${parallel} episodes in flight, a model of ${latency} s`,
      value: `${highest.toFixed(0)} MB at most`,
      ratio: `${(highest / idle).toFixed(1)} × the process before this run (${idle.toFixed(0)} MB)`,
      aim: 'none stated',
    },
  )
}
