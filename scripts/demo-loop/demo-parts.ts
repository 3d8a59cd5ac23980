import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { wrongUsage } from '../../cli/command-error.ts'
import { followRun } from '../../cli/follow-run.ts'
import { describeFailure } from '../../cli/run-cli.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { watchLoop } from '../../cli/watch-loop.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'
import { type DemoService, startDemoService } from './demo-service.ts'

export async function runDemo(
  terminal: Terminal,
  help: string | null,
  demonstrate: () => Promise<void>,
): Promise<void> {
  try {
    if (help === null) await demonstrate()
    else terminal.out(help)
  } catch (error) {
    const { message, exitCode } = describeFailure(error)
    terminal.note(message)
    process.exitCode = exitCode
  }
}

/** Installs the trainer, and starts a service over `given` or a new folder. The caller ends the service. */
export async function openDemo(
  terminal: Terminal,
  name: string,
  given: string | undefined,
): Promise<{ folder: string; python: string; service: DemoService }> {
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), `espalier-${name}-`)) : resolve(given)
  await mkdir(folder, { recursive: true })
  terminal.note(`Data folder: ${folder}. Stopped and started again with --folder ${folder}, it goes on.`)
  const python = await installTrainer(terminal)
  const service = await startDemoService(folder)
  terminal.note(`Watch it in the dashboard: ${service.address}`)
  return { folder, python, service }
}

async function installTrainer(terminal: Terminal): Promise<string> {
  terminal.note('Installing TRL and llama.cpp, unless they are there…')
  const [trainer] = await Promise.all([
    installPythonEnvironment(trainerPackages(terminal.environment), () => {}, terminal.interruption()),
    installPythonEnvironment(llamaCppPackages(terminal.environment), () => {}, terminal.interruption()),
  ])
  return trainer.python
}

/** Plays a run to its end, once for each key of a demonstration. @throws Error unless it succeeds */
export async function playDemoRun(
  { client, terminal, name }: { client: ApiClient; terminal: Terminal; name: string },
  key: string,
  request: RunRequestInput,
): Promise<string> {
  const { id } = await client.createRun(request, `${name}/${key}`)
  const run = await followRun(client, id, { signal: terminal.interruption(), onProgress: () => {} })
  if (run.status !== 'succeeded') throw new Error(`The run ${id} is ${run.status}: ${run.status_reason}`)
  terminal.note(`${key}: ${id}, ${run.episodes.succeeded} of ${run.episodes.total} tasks solved`)
  return id
}

export async function improveModel(
  {
    service,
    folder,
    terminal,
    name,
  }: { service: DemoService; folder: string; terminal: Terminal; name: string },
  key: string,
  request: LoopRequestInput,
): Promise<string> {
  const { client, address } = service
  const { id } = await client.createLoop(JSON.parse(JSON.stringify(request)), `${name}/${key}`)
  terminal.note(`\n${key}: ${id}`)
  const begun = await client.loop(id)
  if (begun.status === 'paused') await client.changeLoop(id, 'resume')
  const connection = { client, address, embedded: false, folder, close: async () => {} }
  await watchLoop(connection, id, { folder, service: address }, terminal)
  return id
}

export function readDemoNumber(flag: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw wrongUsage(`--${flag} "${text}" is not a number above 0.`)
}
