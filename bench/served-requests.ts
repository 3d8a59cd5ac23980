import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** `espalier serve` in processes of its own. */
export interface ServedFolder {
  /** Where it listens. */
  address: string
  stop(): Promise<void>
}

/** Starts the service over a data folder, as a user does, on any free port. */
export async function serveFolder(folder: string, ...words: string[]): Promise<ServedFolder> {
  const entry = join(import.meta.dirname, '../cli/espalier.ts')
  const child: ChildProcess = spawn(
    process.execPath,
    ['--max-semi-space-size=64', entry, 'serve', '--folder', folder, '--port', '0', '--json', ...words],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const gone = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ]
  return {
    address: String(JSON.parse(line).address),
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** How long a service took to answer, in milliseconds. */
export interface RequestTimes {
  requests: number
  failed: number
  median: number
  p99: number
  longest: number
}

/** Asks for a path 20 times a second, whether or not earlier requests were answered. */
export async function timeRequests(address: string, path: string, seconds: number): Promise<RequestTimes> {
  const times: number[] = []
  let failed = 0
  const ask = async () => {
    const start = performance.now()
    try {
      const response = await fetch(address + path)
      await response.text()
      if (!response.ok) failed += 1
    } catch {
      failed += 1
    }
    times.push(performance.now() - start)
  }
  const asked: Promise<void>[] = []
  const end = performance.now() + seconds * 1000
  for (let next = performance.now(); next < end; next += 50) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
    asked.push(ask())
  }
  await Promise.all(asked)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { requests: sorted.length, failed, median: at(0.5), p99: at(0.99), longest: sorted.at(-1) ?? 0 }
}
