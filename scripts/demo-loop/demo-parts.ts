import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { wrongUsage } from '../../cli/command-error.ts'
import { followRun } from '../../cli/follow-run.ts'
import { describeFailure } from '../../cli/run-cli.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { watchLoop } from '../../cli/watch-loop.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { createClient } from '../../shared/core/client/client.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'

const program = resolve(import.meta.dirname, '../../cli/espalier.ts')

const endpoints = {
  expert: { kind: 'simulated', skill: 1 },
  novice: { kind: 'simulated', skill: 0 },
}

export interface DemoService {
  client: ApiClient
  address: string
  process: ChildProcess
  end(signal: NodeJS.Signals): Promise<void>
}

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

/**
 * Starts `espalier serve` over a data folder as a separate process. Started again over the same folder, it resumes.
 * @throws Error with its output, when it does not start
 */
export async function startDemoService(folder: string): Promise<DemoService> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), `${JSON.stringify({ endpoints }, null, 2)}\n`)
  const child = spawn(process.execPath, [program, 'serve', '--folder', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Models of this size are slower with several threads, which wait for each other, especially beside other work.
    env: { OMP_NUM_THREADS: '1', ...process.env },
    // Ctrl-C is for the demonstration, which then ends the service.
    detached: true,
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints = (complaints + text).slice(-4000)
  })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const failed = gone.then(() => Promise.reject(new Error(`The service ended: ${complaints}`)))
  failed.catch(() => complaints)
  const [facts] = await Promise.race([line, failed])
  const { address } = JSON.parse(facts) as { address: string }
  return {
    client: createClient({ address }),
    address,
    process: child,
    async end(signal) {
      child.kill(signal)
      await gone
    },
  }
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
