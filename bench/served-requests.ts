import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readProcessFacts } from '../local/workers/process-facts.ts'

export interface ServedFolder {
  address: string
  /**
   * Calls its API: POST with a body, GET without.
   * @throws Error with the answer's text when it refuses
   */
  call<Answer>(path: string, body?: unknown): Promise<Answer>
  allPlay(): Promise<void>
  /** Total milliseconds of processor time and resident MB of its processes; in `once`, shared pages count once. */
  used(): Promise<{ processor: number; memory: number; once: number }>
  stop(): Promise<void>
}

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
  const address = String(JSON.parse(line).address)
  const call = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(new URL(path, address), init)
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Answer
  }
  return {
    address,
    call,
    async allPlay() {
      for (;;) {
        const { workers } = await call<{ workers?: { wanted: number; playing: number } }>('/health')
        if (workers?.playing === workers?.wanted) return
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    async used() {
      const pids = [child.pid as number, ...(await childrenOf(child.pid as number))]
      const facts = await Promise.all(pids.map(readProcessFacts))
      const shares = await Promise.all(pids.map(shareOfMemory))
      return {
        once: shares.reduce((sum, share) => sum + share, 0) / 1e6,
        processor: facts.reduce((sum, one) => sum + (one?.processorTime ?? 0), 0),
        memory: facts.reduce((sum, one) => sum + (one?.memory ?? 0), 0) / 1e6,
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function shareOfMemory(pid: number): Promise<number> {
  const sums = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(sums)?.[1] ?? 0) * 1024
}

async function childrenOf(parent: number): Promise<number[]> {
  const all = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(all.map(async (pid) => (await readProcessFacts(pid))?.parent))
  return all.filter((_, index) => parents[index] === parent)
}

export interface RequestTimes {
  requests: number
  failed: number
  median: number
  p99: number
  longest: number
}

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
