import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { startFakeEndpoint } from './fake-endpoint.ts'

/**
 * A new user's first twenty minutes, from a fresh clone to a resumed run: quickstart twice, an own endpoint, an own
 * environment and method in TypeScript and Python outside the clone, an export, a kill and a resume. Exits non-zero
 * at the first failing step, with its output.
 */
const root = resolve(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'espalier-first-'))
const clone = join(work, 'clone')
const mine = join(work, 'mine')
const folder = join(work, 'data')
const endpoint = await startFakeEndpoint()
const slow = await startFakeEndpoint(200)
const started = new Set<StartedCommand>()
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|ESPALIER_(?!CACHE)|VITEST)/.test(name)),
)

interface CommandResult {
  code: number | null
  out: string
  shown: string
}

interface CommandSettings {
  cwd: string
  env: NodeJS.ProcessEnv
}

interface StartedCommand {
  child: ChildProcess
  /**
   * Resolves with the first match of the output.
   * @throws Error if the command ends before
   */
  shows(pattern: RegExp): Promise<string>
  ended: Promise<CommandResult>
}

function start(words: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): StartedCommand {
  const command = startCommand(words, { cwd, env: { ...env, ...more } })
  started.add(command)
  void command.ended.then(() => started.delete(command))
  return command
}

function expectEnd(words: readonly string[], { code, shown }: CommandResult, wanted: number): void {
  if (code !== wanted) throw new Error(`${words.join(' ')} ended with ${code}:\n${shown}`)
}

async function run(
  words: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const result = await start(words, cwd, more).ended
  expectEnd(words, result, 0)
  return result
}

const espalier = (...words: string[]) => [
  'node',
  join(clone, 'cli/espalier.mjs'),
  ...words,
  '--folder',
  folder,
]
const few = ['--split', 'train', '--limit', '2', '--set', 'max_steps=4']
const simulated = ['--model', 'simulated']

function expectText({ shown }: CommandResult, pattern: RegExp): void {
  if (!pattern.test(shown)) throw new Error(`Expected ${pattern} in:\n${shown}`)
}

const python = join(work, 'python/bin/python')

const steps: Record<string, () => Promise<unknown>> = {
  'clone the repository': () => run(['git', 'clone', '--quiet', root, clone], work),
  'quickstart installs and plays': () => run(['npm', 'run', 'quickstart'], clone),
  'quickstart again, in the same folder': async () =>
    expectText(await run(['npm', 'run', 'quickstart'], clone), /mcts minus react/),
  'quickstart beside a service of the folder names its holder': async () => {
    const service = start(['npm', 'start', '--', '--folder', folder, '--port', '0'], clone)
    await service.shows(/http:\/\/127\.0\.0\.1:\d+/)
    const words = ['npm', 'run', 'quickstart', '--', '--folder', folder, '--tasks', '2']
    expectText(await run(words, clone), /Process \d+ holds/)
    service.child.kill('SIGTERM')
    await service.ended
  },
  'an own endpoint is tested and plays': async () => {
    const endpoints = {
      fake: { kind: 'openai', base_url: endpoint.address, prices: { fake: { input: 1, output: 2 } } },
      slow: { kind: 'openai', base_url: slow.address },
    }
    writeFileSync(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
    await run(espalier('endpoints', 'test', 'fake', '--model', 'fake'), mine)
    const words = [
      'run',
      '--environment',
      exampleEnvironment,
      '--method',
      'react',
      '--model',
      'fake',
      '--endpoint',
      'fake',
    ]
    await run(espalier(...words, '--max-cost', '1', ...few), mine)
    if (endpoint.calls() < 8) throw new Error(`The endpoint answered ${endpoint.calls()} calls.`)
  },
  'an own environment and method in TypeScript, copied out of the repository': async () => {
    cpSync(join(clone, 'examples'), mine, { recursive: true })
    const words = ['run', '--environment', './guess-number.ts', '--method', './greedy.ts']
    await run(espalier(...words, ...simulated, '--split', 'train', '--limit', '2'), mine)
  },
  'a script of the client runs beside a service': async () => {
    const service = start(['npm', 'start', '--', '--folder', folder, '--port', '0'], clone)
    const address = await service.shows(/http:\/\/127\.0\.0\.1:\d+/)
    const script = ['node', join(clone, 'cli/espalier.mjs'), 'exec', './client.ts', address]
    expectText(await run(script, mine), /"report"/)
    service.child.kill('SIGTERM')
    await service.ended
  },
  'an own environment in Python, without an install': async () => {
    const plain = join(work, 'plain')
    await run(['python3', '-m', 'venv', '--without-pip', plain], work)
    const words = ['run', '--environment', './guess_number_env.py', '--method', 'react']
    await run(espalier(...words, ...simulated, '--split', 'train', '--limit', '2'), mine, {
      ESPALIER_PYTHON: join(plain, 'bin/python'),
    })
  },
  'a misspelt model is answered with the right one': async () => {
    const words = ['run', '--environment', exampleEnvironment, '--method', 'react', '--model', 'simlated']
    const result = await start(espalier(...words, '--limit', '1'), mine).ended
    expectText(result, /Did you mean "simulated"\?/)
  },
  'an own method in Python, with pydantic': async () => {
    await run(['python3', '-m', 'venv', join(work, 'python')], work)
    await run([python, '-m', 'pip', 'install', '--quiet', 'pydantic>=2.7,<3'], work)
    cpSync(join(clone, 'clients/python/examples/react.py'), join(mine, 'react.py'))
    const words = ['run', '--environment', './guess_number_env.py', '--method', './react.py']
    await run(espalier(...words, ...simulated, '--split', 'train', '--limit', '2'), mine, {
      ESPALIER_PYTHON: python,
    })
  },
  'an export of a run that has rows': async () => {
    const words = [
      'run',
      '--environment',
      exampleEnvironment,
      '--method',
      'react',
      ...simulated,
      '--set',
      'max_steps=20',
    ]
    await run(espalier(...words, '--split', 'train', '--limit', '8'), mine)
    await run(espalier('export', 'latest', '--kind', 'sft', '--format', 'trl', '--out', 'rows'), mine)
    if (!existsSync(join(mine, 'rows/manifest.json'))) throw new Error('The export has no manifest.')
  },
  'a killed service loses nothing, and its run is resumed': async () => {
    const words = [
      'run',
      '--environment',
      exampleEnvironment,
      '--method',
      'react',
      '--model',
      'fake',
      '--endpoint',
      'slow',
    ]
    const command = start(
      espalier(...words, '--split', 'train', '--limit', '4', '--set', 'max_steps=6'),
      mine,
    )
    while (slow.calls() < 4) await new Promise((resolve) => setTimeout(resolve, 20))
    killCommand(command, 'SIGKILL')
    await command.ended
    expectText(await run(espalier('watch', 'latest'), mine), /4/)
    // The four calls in flight at the kill are repeated, and each start probes the endpoint. Committed calls are not
    // repeated.
    if (slow.calls() > 4 * 6 + 4 + 2)
      throw new Error(`The endpoint answered ${slow.calls()} calls for 24 steps.`)
  },
}

let failed: unknown = null
try {
  mkdirSync(mine)
  for (const [name, step] of Object.entries(steps)) {
    const begun = performance.now()
    await step()
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${name}`)
  }
} catch (error) {
  failed = error
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  for (const command of started) killCommand(command, 'SIGKILL')
  await Promise.all([...started].map(({ ended }) => ended))
  await Promise.all([endpoint.close(), slow.close()])
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
if (failed === null) console.log('\nThe first twenty minutes hold.')

function startCommand(words: readonly string[], { cwd, env }: CommandSettings): StartedCommand {
  const [command = '', ...options] = words
  const child = spawn(command, options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let [out, shown] = ['', '']
  const waiting = new Set<() => void>()
  const take = (text: string, isOut: boolean) => {
    shown += text
    if (isOut) out += text
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => take(text, true))
  child.stderr.setEncoding('utf8').on('data', (text: string) => take(text, false))
  const ended = once(child, 'close').then(([code]): CommandResult => ({ code, out, shown }))
  const shows = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const [found] = pattern.exec(shown) ?? []
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${shown}`)))
      check()
    })
  return { child, shows, ended }
}

function killCommand({ child }: StartedCommand, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}
