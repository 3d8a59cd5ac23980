import { availableParallelism } from 'node:os'
import { report } from './figure.ts'
import { type Load, measureInFlight } from './measure-in-flight.ts'

const loads: Load[] = [
  { parallel: 1000, latency: 1 },
  { parallel: 300, latency: 0.2 },
]
const seconds = Number(process.env.BENCH_SECONDS ?? 60)

for (const load of loads) {
  const { parallel, latency } = load
  const { elapsed, calls, processor, endpoint, memory } = await measureInFlight(load, seconds)
  const ideal = parallel / latency
  report(
    {
      what: `${parallel} episodes in flight in the service with ${availableParallelism()} workers, a model of ${latency} s in another process, ${elapsed.toFixed(0)} s after the ramp`,
      value: `${(calls / elapsed).toFixed(0)} calls/s, ${(processor / calls).toFixed(3)} ms processor time a call (HTTP client and API included; the model's process: ${(endpoint / calls).toFixed(3)} ms)`,
      ratio: `${((100 * calls) / elapsed / ideal).toFixed(1)} % of the ideal ${ideal} calls/s`,
      aim: '≥ 95 % on 2 cores, ≤ 0.7 ms',
    },
    {
      what: `Memory with ${parallel} episodes in flight, a model of ${latency} s`,
      value: `${memory.highest.toFixed(0)} MB at most, of all processes of the service`,
      ratio: `${(memory.highest / memory.idle).toFixed(1)} × before the run (${memory.idle.toFixed(0)} MB)`,
      aim: 'none stated',
    },
  )
}
