// `npm run demo:loop`: creates a tiny model, clones it from few episodes of an expert, and improves it by its own
// findings, through the service's API: see docs/loops.md. Started again over the same folder, it resumes.
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { interrupted, wrongUsage } from '../../cli/command-error.ts'
import { followRun } from '../../cli/follow-run.ts'
import { describeFailure } from '../../cli/run-cli.ts'
import { processTerminal } from '../../cli/terminal.ts'
import { watchLoop } from '../../cli/watch-loop.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'
import { formatOutcome, type SeedOutcome, seedOutcome } from './demo-report.ts'
import { startDemoService } from './demo-service.ts'
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
  --folder <path>  the data folder; the same again goes on where it was (default: a new one)
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
try {
  if (values.help) terminal.out(help)
  else await demonstrate()
} catch (error) {
  const { message, exitCode } = describeFailure(error)
  terminal.note(message)
  process.exitCode = exitCode
}

async function demonstrate(): Promise<void> {
  const sizes = sizesFor(readNumber('minutes', values.minutes))
  const seeds = values.seeds.split(',').map((text) => readNumber('seeds', text))
  const folder =
    values.folder === undefined
      ? await mkdtemp(join(tmpdir(), 'espalier-demo-loop-'))
      : resolve(values.folder)
  await mkdir(folder, { recursive: true })
  terminal.note(`Data folder: ${folder}. Stopped and started again with --folder ${folder}, it goes on.`)
  const python = await prepare()
  const service = await startDemoService(folder)
  terminal.note(`Watch it in the dashboard: ${service.address}`)
  try {
    const { client } = service
    const expert = await play(client, 'expert', expertRequest(sizes))
    const novice = await play(client, 'novice', noviceRequest(sizes))
    const pairExpert = await play(client, 'pair-expert', pairExpertRequest(sizes))
    const outcomes: SeedOutcome[] = []
    for (const seed of seeds) {
      const base = await makeBase(client, { python, folder, runs: [expert, novice], seed })
      const rft = await improve(client, `rft/${seed}`, rejectionRequest(sizes, { seed, base, expert }))
      const { best } = await client.loopReport(rft)
      const model = best?.model
      if (model == null) throw new Error(`The loop ${rft} has no best model.`)
      const eto = await improve(
        client,
        `eto/${seed}`,
        trialRequest(sizes, { seed, model, expert: pairExpert }),
      )
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

  async function improve(client: ApiClient, key: string, request: object): Promise<string> {
    const { id } = await client.createLoop(JSON.parse(JSON.stringify(request)), `demo-loop/${key}`)
    terminal.note(`\n${key}: ${id}`)
    const begun = await client.loop(id)
    if (begun.status === 'paused') await client.changeLoop(id, 'resume')
    const connection = { client, address: service.address, embedded: false, folder, close: async () => {} }
    await watchLoop(connection, id, { folder, service: service.address }, terminal)
    return id
  }
}

async function prepare(): Promise<string> {
  terminal.note('Installing TRL and llama.cpp, unless they are there…')
  const [trainer] = await Promise.all([
    installPythonEnvironment(trainerPackages(terminal.environment), () => {}, terminal.interruption()),
    installPythonEnvironment(llamaCppPackages(terminal.environment), () => {}, terminal.interruption()),
  ])
  return trainer.python
}

async function play(
  client: ApiClient,
  key: string,
  request: ReturnType<typeof expertRequest>,
): Promise<string> {
  const { id } = await client.createRun(request, `demo-loop/${key}`)
  const run = await followRun(client, id, { signal: terminal.interruption(), onProgress: () => {} })
  if (run.status !== 'succeeded') throw new Error(`The run ${id} is ${run.status}: ${run.status_reason}`)
  terminal.note(`${key}: ${id}, ${run.episodes.succeeded} of ${run.episodes.total} tasks solved`)
  return id
}

function readNumber(flag: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw wrongUsage(`--${flag} "${text}" is not a number above 0.`)
}
