import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readProcessFacts } from '../local/workers/process-facts.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { serveFolder } from './served-requests.ts'

export interface Load {
  parallel: number
  latency: number
}

export interface InFlight {
  elapsed: number
  calls: number
  processor: number
  endpoint: number
  /** Resident MB of the service and its workers together: peak, and before the run; there also by `once`. */
  memory: { highest: number; idle: number; once: number }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export async function startModelProcess(latency: number) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'plain-endpoint.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LATENCY: String(latency * 1000) },
  })
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const { base_url } = JSON.parse(line) as { base_url: string }
  return {
    base_url,
    processorTime: async () => (await readProcessFacts(server.pid))?.processorTime ?? 0,
    stop: () => server.kill('SIGTERM'),
  }
}

export async function measureInFlight({ parallel, latency }: Load, seconds: number): Promise<InFlight> {
  const ideal = parallel / latency
  const { base_url, processorTime, stop } = await startModelProcess(latency)
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const endpoint = {
    kind: 'openai',
    base_url,
    max_concurrency: 2000,
    prices: { '*': { input: 1, output: 2 } },
  }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { bench: endpoint } }))
  const service = await serveFolder(folder)
  await service.allPlay()
  const { memory: idle, once } = await service.used()
  const { id } = await service.call<{ id: string }>('/v1/runs', {
    environment: exampleEnvironment,
    method: { id: 'react' },
    tasks: { split: 'train' },
    epochs: 30,
    model: { endpoint: 'bench', id: 'plain' },
    max_parallel: parallel,
    limits: { cost: 100_000 },
  })
  const look = async () => {
    const run = await service.call<{ status: string; usage: { model_calls: number } }>(`/v1/runs/${id}`)
    const [{ processor, memory }, endpoint] = await Promise.all([service.used(), processorTime()])
    return { ...run, at: performance.now(), calls: run.usage.model_calls, processor, memory, endpoint }
  }

  let before = await look()
  for (const begun = before.at; performance.now() - begun < 60_000; ) {
    await sleep(1000)
    const now = await look()
    const rate = ((now.calls - before.calls) * 1000) / (now.at - before.at)
    before = now
    if (rate >= ideal * 0.9) break
  }
  let [after, highest] = [before, 0]
  while (after.at - before.at < seconds * 1000) {
    await sleep(1000)
    after = await look()
    highest = Math.max(highest, after.memory)
  }
  if (after.status !== 'running') throw new Error(`The run was ${after.status} before all was measured.`)
  await service.call(`/v1/runs/${id}/cancel`, {})
  await service.stop()
  stop()
  await rm(folder, { recursive: true, force: true })
  return {
    elapsed: (after.at - before.at) / 1000,
    calls: after.calls - before.calls,
    processor: after.processor - before.processor,
    endpoint: after.endpoint - before.endpoint,
    memory: { highest, idle, once },
  }
}
