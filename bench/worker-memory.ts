import { workerEconomy } from '../functions/aws/economy.ts'
import { simulatedEndpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import { modelClock } from '../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../shared/play/simulated/simulated-models.ts'
import { assumptions } from './cost/assumptions.ts'
import { memory, report } from './figure.ts'
import { ended, openBenchEngine } from './open-bench-engine.ts'

const { worker } = assumptions.stage
/** Milliseconds of a model's answer. A shorter one needs more processor, not more memory. */
const latency = Number(process.env.BENCH_LATENCY ?? 5000)
const places = Number(process.env.BENCH_PLACES ?? worker.places)

const endpoint = simulatedEndpointSchema.parse({
  kind: 'simulated',
  latency,
  latency_spread: latency / 2,
  prices: { '*': { input: 0.25, output: 2 } },
})
const { chat } = createSimulatedModels('simulated', endpoint, modelClock)
const engine = await openBenchEngine(chat, places, workerEconomy)
const idle = memory()
const samples: number[] = []
let most = 0
const timer = setInterval(() => {
  samples.push(memory())
  most = Math.max(most, engine.worker.playing)
}, 500)
const request = runRequestSchema.parse({
  environment: exampleEnvironment,
  method: { id: 'mcts' },
  // The split has 427 tasks.
  tasks: { split: 'train', limit: Math.ceil(places / 2) },
  epochs: 2,
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: places,
  limits: { cost: 10_000 },
})
const { id } = await engine.runs.create(request)
const run = await ended(engine, id)
clearInterval(timer)
await engine.close()

const sorted = samples.toSorted((one, other) => one - other)
const high = sorted[Math.floor(sorted.length * 0.95)] ?? 0
const peak = sorted.at(-1) ?? 0
const size = (worker.memory * 2 ** 30) / 1e6
report({
  what: `Memory of one worker process with ${most} mcts episodes in flight, a simulated model of ${latency / 1000} s, ${run.episodes.total} episodes`,
  value: `${peak.toFixed(0)} MB resident at most, ${high.toFixed(0)} MB in 95 % of ${samples.length} samples (${idle.toFixed(0)} MB before)`,
  ratio: `${((100 * peak) / size).toFixed(0)} % of the ${size.toFixed(0)} MB of a worker's task`,
  aim: 'below the 75 % at which a worker takes no more episodes',
})
