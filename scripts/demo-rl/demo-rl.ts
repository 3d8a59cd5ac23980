// `npm run demo:rl`: clones a tiny model from an expert, and improves it by reinforcement on chains and on trees of the
// same tokens: see docs/loops.md. Started again over the same folder, it resumes.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { interrupted } from '../../cli/command-error.ts'
import { processTerminal } from '../../cli/terminal.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import { improveModel, openDemo, playDemoRun, readDemoNumber, runDemo } from '../demo-loop/demo-parts.ts'
import { type DemoWorld, demoWorlds, findWorld } from '../demo-loop/demo-worlds.ts'
import { makeBase } from '../demo-loop/make-base.ts'
import { formatRlOutcomes, type RlOutcome, readRlOutcome } from './rl-report.ts'
import { armRequest, rlSizesFor, teacherRequest, usualRlMinutes } from './rl-requests.ts'

const names = demoWorlds.map(({ environment }) => environment)
const help = `Improves a model by reinforcement, on chains and on trees of equal tokens, with everything real but its size.

Usage: npm run demo:rl -- [options]

  --minutes <n>          about how long a seed may take in one environment on two cores (default: ${usualRlMinutes})
  --seeds <list>         seeds, each with a model of its own (default: 1,2,3)
  --environments <list>  of ${names.join(' and ')} (default: both)
  --folder <path>        the data folder; with the same one again it resumes (default: a new one)
  --help
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(usualRlMinutes) },
    seeds: { type: 'string', default: '1,2,3' },
    environments: { type: 'string', default: names.join() },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const terminal = processTerminal()
await runDemo(terminal, values.help ? help : null, demonstrate)

async function demonstrate(): Promise<void> {
  const sizes = rlSizesFor(readDemoNumber('minutes', values.minutes))
  const seeds = values.seeds.split(',').map((text) => readDemoNumber('seeds', text))
  const worlds = values.environments.split(',').map((name) => findWorld('environments', name))
  const { folder, python, service } = await openDemo(terminal, 'demo-rl', values.folder)
  const { client } = service
  const outcomes: RlOutcome[] = []
  const result = join(folder, 'results.md')
  try {
    for (const seed of seeds) {
      for (const world of worlds) {
        outcomes.push(await play(world, seed))
        const table = `${formatRlOutcomes(outcomes).join('\n')}\n`
        await writeFile(result, table)
        terminal.out(`\n${table}`)
      }
    }
    terminal.note(`The table is in ${result}.`)
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    const { environments, minutes } = values
    const again = `npm run demo:rl -- --minutes ${minutes} --seeds ${values.seeds} --environments ${environments} --folder ${folder}`
    throw interrupted(`Stopped. It goes on where it was with: ${again}`)
  } finally {
    await service.end('SIGTERM')
  }

  async function play(world: DemoWorld, seed: number): Promise<RlOutcome> {
    const { environment } = world
    const common = { client, terminal, name: 'demo-rl' }
    const expert = await playDemoRun(common, `${environment}/expert`, teacherRequest(world, 'expert'))
    const novice = await playDemoRun(common, `${environment}/novice`, teacherRequest(world, 'novice'))
    const own = join(folder, environment)
    await mkdir(own, { recursive: true })
    terminal.note(`\nMaking the model of seed ${seed} for ${environment} (up to some minutes)…`)
    const base = await makeBase(client, {
      python,
      folder: own,
      runs: [expert, novice],
      seed,
      shape: world.shape,
    })
    const improve = (arm: string, request: LoopRequestInput) =>
      improveModel({ ...common, service, folder }, `${environment}/${arm}/${seed}`, request)
    const chains = await improve(
      'grpo',
      armRequest(world, sizes, 'grpo', { seed, base: { folder: base }, expert }),
    )
    const clone = (await client.loop(chains)).rounds[0]?.model
    if (clone == null) throw new Error(`The loop ${chains} has no first model.`)
    const trees = await improve(
      'tree-grpo',
      armRequest(world, sizes, 'tree-grpo', { seed, base: { registered: clone } }),
    )
    return readRlOutcome(client, { environment, seed, loops: { grpo: chains, 'tree-grpo': trees } })
  }
}
