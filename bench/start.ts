import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createTransport } from '../cli/api-transport.ts'
import { createApiClient } from '../shared/core/client/api-client.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { report } from './figure.ts'

const entry = join(import.meta.dirname, '../cli/espalier.ts')
/** Prints a process's processor time at its end, in microseconds, on descriptor 3. */
const meter = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})`
const starts = 3

await measureHelp()
await measureService()

async function leastProcessorTime(words: readonly string[]): Promise<number> {
  const times: number[] = []
  for (let start = 0; start < starts; start += 1) {
    const child = spawn(process.execPath, ['--import', meter, ...words], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    })
    times.push(Number(await text(child.stdio[3] as Readable)) / 1000)
  }
  return Math.min(...times)
}

async function measureHelp(): Promise<void> {
  const help = await leastProcessorTime([entry, '--help'])
  const bare = await leastProcessorTime(['--eval', ''])
  report({
    what: 'Processor time of `espalier --help`',
    value: `${help.toFixed(0)} ms, the least of ${starts}`,
    ratio: `${(help / bare).toFixed(1)} × Node itself (${bare.toFixed(0)} ms)`,
    aim: '≤ 300 ms',
  })
}

async function measureService(): Promise<void> {
  const first = await startService()
  const later = []
  for (let start = 0; start < starts; start += 1) later.push(await startService())
  const best = later.toSorted((one, other) => one.health - other.health)[0] ?? first
  const times = ({ health, episode, used }: typeof best) =>
    `${health.toFixed(0)} ms to /health, ${episode.toFixed(0)} ms to the end of the first episode; ${used} ms of processor time until /health`
  report({
    what: 'Start of `espalier serve`, from exec, with two workers',
    value: `${times(best)}; the best of ${starts}`,
    ratio: `the first start of all: ${times(first)}`,
    aim: '≤ 2 s to /health, ≤ 3 s to the first episode',
  })
}

async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const start = performance.now()
  const flags = ['--port', '0', '--folder', folder, '--workers', '2', '--simulated-latency', '1', '--json']
  const child = spawn(process.execPath, ['--max-semi-space-size=64', entry, 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const address = await addressOf(child)
    const fetched = await fetch(new URL('/health', address))
    if (!fetched.ok) throw new Error(`/health answered ${fetched.status}.`)
    const health = performance.now() - start
    const used = await processorTimeOf(child)
    const client = createApiClient(
      createTransport({ address, fetcher: fetch, signal: new AbortController().signal }),
    )
    const { id } = await client.createRun(
      {
        environment: exampleEnvironment,
        tasks: { split: 'train', limit: 1 },
        method: { id: 'react' },
        model: { endpoint: 'simulated', id: 'simulated' },
      },
      'bench-start',
    )
    let { status } = await client.run(id)
    while (status === 'queued' || status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 5))
      status = (await client.run(id)).status
    }
    if (status !== 'succeeded') throw new Error(`The run is ${status}.`)
    return { health, episode: performance.now() - start, used }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    return (JSON.parse(line) as { address: string }).address
  }
  throw new Error('The service ended before it served.')
}

async function processorTimeOf({ pid }: ChildProcess): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  const [user, system] = stat?.split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return user === undefined || system === undefined ? '?' : String((user + system) * 10)
}
