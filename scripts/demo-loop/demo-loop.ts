// `npm run demo:loop`: creates a tiny model, clones it from few episodes of an expert, and improves it by its own
// findings, through the service's API: see docs/loops.md. Started again over the same folder, it resumes.
import { parseArgs } from 'node:util'
import { interrupted } from '../../cli/command-error.ts'
import { processTerminal } from '../../cli/terminal.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import { improveModel, openDemo, playDemoRun, readDemoNumber, runDemo } from './demo-parts.ts'
import { formatOutcome, type SeedOutcome, seedOutcome } from './demo-report.ts'
import { makeBase } from './make-base.ts'
import {
  expertRequest,
  noviceRequest,
  pairExpertRequest,
  rejectionRequest,
  trialRequest,
} from './requests.ts'
import { sizesFor, usualMinutes } from './sizes.ts'

const help = `Trains a model in a loop, with everything real but its size: TRL, llama.cpp's server, the service.

Usage: npm run demo:loop -- [options]

  --minutes <n>    about how long a seed may take on two cores; more trains more (default: ${usualMinutes})
  --seeds <list>   seeds, each with a model of its own, such as 1,2,3 (default: 1)
  --folder <path>  the data folder; with the same one again it resumes (default: a new one)
  --help
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(usualMinutes) },
    seeds: { type: 'string', default: '1' },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const terminal = processTerminal()
await runDemo(terminal, values.help ? help : null, demonstrate)

async function demonstrate(): Promise<void> {
  const sizes = sizesFor(readDemoNumber('minutes', values.minutes))
  const seeds = values.seeds.split(',').map((text) => readDemoNumber('seeds', text))
  const { folder, python, service } = await openDemo(terminal, 'demo-loop', values.folder)
  try {
    const { client } = service
    const prepared = { client, terminal, name: 'demo-loop' }
    const improve = (key: string, request: LoopRequestInput) =>
      improveModel({ service, folder, terminal, name: 'demo-loop' }, key, request)
    const expert = await playDemoRun(prepared, 'expert', expertRequest(sizes))
    const novice = await playDemoRun(prepared, 'novice', noviceRequest(sizes))
    const pairExpert = await playDemoRun(prepared, 'pair-expert', pairExpertRequest(sizes))
    const outcomes: SeedOutcome[] = []
    for (const seed of seeds) {
      const base = await makeBase(client, { python, folder, runs: [expert, novice], seed })
      const rft = await improve(`rft/${seed}`, rejectionRequest(sizes, { seed, base, expert }))
      const { best } = await client.loopReport(rft)
      const model = best?.model
      if (model == null) throw new Error(`The loop ${rft} has no best model.`)
      const eto = await improve(`eto/${seed}`, trialRequest(sizes, { seed, model, expert: pairExpert }))
      outcomes.push(await seedOutcome(client, { seed, rft, eto }))
    }
    terminal.out(formatOutcome(outcomes, sizes).join('\n'))
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    const again = `npm run demo:loop -- --minutes ${values.minutes} --seeds ${values.seeds} --folder ${folder}`
    throw interrupted(`Stopped. It goes on where it was with: ${again}`)
  } finally {
    await service.end('SIGTERM')
  }
}
