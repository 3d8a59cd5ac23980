import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runRequestSchema } from '../shared/contracts/run.ts'
import { loadEndpoints } from '../shared/models/load-endpoints.ts'
import { openModels } from '../shared/models/model-pool.ts'
import { memory, processorTime } from './figure.ts'
import { openBenchEngine } from './open-bench-engine.ts'

/** Episodes in flight at once, and the seconds that the model takes for an answer. */
export interface Load {
  parallel: number
  latency: number
}

export interface InFlight {
  /** Seconds for which it was measured. */
  elapsed: number
  /** Model calls that ended in that time. */
  calls: number
  /** Milliseconds of this process, user and system, in that time. */
  processor: number
  /** Resident memory in MB: at most, and before the run. */
  memory: { highest: number; idle: number }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The simulated model in a process of its own. */
export async function startModelProcess(latency: number) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'simulated-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LATENCY: String(latency * 1000) },
  })
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const address = JSON.parse(line) as { base_url: string; call_log_url: string }
  return { ...address, stop: () => server.kill('SIGTERM') }
}

/** Plays episodes of TextCraft with the engine over a local world, and measures once the calls have reached their rate. */
export async function measureInFlight({ parallel, latency }: Load, seconds: number): Promise<InFlight> {
  const ideal = parallel / latency
  const { stop, ...address } = await startModelProcess(latency)
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const path = join(folder, 'endpoints.json')
  const endpoint = {
    kind: 'openai',
    ...address,
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
  const processor = processorTime() - timeBefore
  await engine.runs.cancel(id)
  await engine.close()
  await models.close()
  stop()
  await rm(folder, { recursive: true, force: true })
  return { elapsed, calls: made, processor, memory: { highest, idle } }
}
