// `npm run demo:loop`: creates a tiny model, clones it from few episodes of an expert, and improves it by its own
// findings, through the service's API: see docs/loops.md. Started again over the same folder, it resumes.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { interrupted } from '../../cli/command-error.ts'
import { processTerminal } from '../../cli/terminal.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import { improveModel, openDemo, playDemoRun, readDemoNumber, runDemo } from './demo-parts.ts'
import { formatOutcomes, type SeedOutcome, seedOutcome } from './demo-report.ts'
import { demoWorlds, findWorld } from './demo-worlds.ts'
import { makeBase } from './make-base.ts'
import {
  expertRequest,
  noviceRequest,
  type PairLoss,
  pairExpertRequest,
  rejectionRequest,
  trialRequest,
} from './requests.ts'
import { sizesFor, usualMinutes } from './sizes.ts'

const help = `Trains a model in a loop, with everything real but its size: TRL, llama.cpp's server, the service.

Usage: npm run demo:loop -- [options]

  --minutes <n>    about how long a seed may take on two cores; more trains more (default: ${usualMinutes})
  --seeds <list>   seeds, each with a model of its own, such as 1,2,3 (default: 1)
  --environment <name>  one of ${demoWorlds.map(({ environment }) => environment).join(' and ')} (default: ${demoWorlds[0]?.environment})
  --folder <path>  the data folder; with the same one again it resumes (default: a new one)
  --help
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(usualMinutes) },
    seeds: { type: 'string', default: '1' },
    environment: { type: 'string', default: demoWorlds[0]?.environment ?? '' },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const terminal = processTerminal()
await runDemo(terminal, values.help ? help : null, demonstrate)

async function demonstrate(): Promise<void> {
  const world = findWorld('environment', values.environment)
  const sizes = sizesFor(readDemoNumber('minutes', values.minutes), world.sizes)
  const seeds = values.seeds.split(',').map((text) => readDemoNumber('seeds', text))
  const { folder, python, service } = await openDemo(terminal, 'demo-loop', values.folder)
  const result = join(folder, 'results.md')
  try {
    const { client } = service
    const prepared = { client, terminal, name: 'demo-loop' }
    const improve = (key: string, request: LoopRequestInput) =>
      improveModel({ service, folder, terminal, name: 'demo-loop' }, key, request)
    const expert = await playDemoRun(prepared, 'expert', expertRequest(world, sizes))
    const novice = await playDemoRun(prepared, 'novice', noviceRequest(world, sizes))
    const pairExpert = await playDemoRun(prepared, 'pair-expert', pairExpertRequest(world, sizes))
    const outcomes: SeedOutcome[] = []
    for (const seed of seeds) {
      terminal.note(`\nMaking the model of seed ${seed} (up to some minutes)…`)
      const base = await makeBase(client, {
        python,
        folder,
        runs: [expert, novice],
        seed,
        shape: world.shape,
      })
      const rft = await improve(`rft/${seed}`, rejectionRequest(world, sizes, { seed, base, expert }))
      const clone = (await client.loop(rft)).rounds[0]?.model
      if (clone == null) throw new Error(`The loop ${rft} has no first model.`)
      const pairs = { seed, clone, expert: pairExpert }
      const eto = (lossOn: PairLoss) =>
        improve(`eto/${lossOn}/${seed}`, trialRequest(world, sizes, { ...pairs, lossOn }))
      const trials = { answers: await eto('answers'), completion: await eto('completion') }
      outcomes.push(await seedOutcome(client, { seed, rft, trials }))
      await writeFile(result, `${formatOutcomes(outcomes).join('\n')}\n`)
    }
    terminal.out(formatOutcomes(outcomes).join('\n'))
    terminal.note(`The result is in ${result}.`)
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    const again = `npm run demo:loop -- --minutes ${values.minutes} --seeds ${values.seeds} --environment ${values.environment} --folder ${folder}`
    throw interrupted(`Stopped. It goes on where it was with: ${again}`)
  } finally {
    await service.end('SIGTERM')
  }
}
