import type { Command } from 'commander'
import type { GlobalOptions } from '../global-options.ts'
import { parseLatency, parsePort, parseSeed, parseShare } from '../parse-setting.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'

type SimulateOptions = GlobalOptions & {
  port: number
  skill: number
  latency: number
  latencySpread: number
  seed: number
}

export function addSimulateCommand(program: Command, terminal: Terminal): void {
  program
    .command('simulate')
    .description('Serve the simulated model over HTTP, as an OpenAI-compatible endpoint on this machine.')
    .option('--port <n>', 'port to listen on; 0 chooses a free one', parsePort, 0)
    .option('--skill <n>', 'share of right answers, 0 to 1', parseShare, 0.7)
    .option('--latency <ms>', 'milliseconds before an answer', parseLatency, 0)
    .option('--latency-spread <ms>', 'maximum deviation from the latency, in milliseconds', parseLatency, 0)
    .option('--seed <n>', 'seed of the answers', parseSeed, 0)
    .addHelpText('after', '\nExample: espalier simulate --port 9100 --skill 0.8 --latency 50')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<SimulateOptions>()
      const { startSimulatedServer } = await import('../../local/simulated-server.ts')
      const server = await startSimulatedServer({
        port: options.port,
        skill: options.skill,
        latency: options.latency,
        latency_spread: options.latencySpread,
        seed: options.seed,
      })
      try {
        const endpoint = { kind: 'openai', base_url: server.baseUrl, call_log_url: server.callLogUrl }
        const stats_url = new URL('/stats', server.baseUrl).href
        if (options.json) terminal.out(JSON.stringify({ ...endpoint, stats_url, port: server.port }))
        else {
          terminal.out(
            `The simulated model answers at ${server.baseUrl} and counts its calls at ${stats_url}`,
          )
          terminal.note(`In endpoints.json: ${JSON.stringify(endpoint)}`)
        }
        await untilInterrupted(terminal)
      } finally {
        await server.close()
      }
    })
}
