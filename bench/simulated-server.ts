import { startSimulatedServer } from '../local/simulated-server.ts'

/** The simulated model in a process of its own; prints its address. */
const server = await startSimulatedServer({
  port: 0,
  skill: 0.4,
  latency: Number(process.env.LATENCY ?? 1000),
  latency_spread: Number(process.env.SPREAD ?? 0),
  seed: 1,
})
console.log(JSON.stringify({ base_url: server.baseUrl, call_log_url: server.callLogUrl }))
process.once('SIGTERM', () => server.close())
