import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import type { Log, LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import type { ClusterOptions } from './open-cluster.ts'

export type ClusterAssignment = Omit<ClusterOptions, 'endpoints' | 'log'> & {
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  name: string
  processes: number
}

export type MessageFromClusterWorker = { type: 'ready' } | { type: 'log'; entry: LogEntry }

export interface ProcessesOptions {
  count: number
  work: Omit<ClusterAssignment, 'name'>
  /** Called with the name of a worker whose process ended unasked, before another starts. */
  onEnd(worker: string): Promise<void>
  log: Log
}

const program = join(import.meta.dirname, `worker-entry${extname(import.meta.filename)}`)
const longestPause = 30_000

export class WorkerProcesses {
  readonly #options: ProcessesOptions
  readonly #stopping = new AbortController()
  readonly #children = new Map<ChildProcess, Promise<unknown>>()
  #places: Promise<void>[] = []

  constructor(options: ProcessesOptions) {
    this.#options = options
  }

  get playing(): number {
    return this.#children.size
  }

  start(): void {
    this.#places = Array.from({ length: this.#options.count }, () => this.#keepOne())
  }

  async stop(grace: number): Promise<void> {
    this.#stopping.abort()
    for (const child of this.#children.keys()) if (child.connected) child.send({ grace }, () => undefined)
    const timer = setTimeout(
      () => {
        for (const child of this.#children.keys()) child.kill('SIGKILL')
      },
      (grace + 20) * 1000,
    )
    await Promise.all(this.#places)
    clearTimeout(timer)
  }

  async #keepOne(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; ) {
      const name = `worker-${randomUUID()}`
      const startedAt = performance.now()
      const evidence = await this.#runOne(name)
      if (signal.aborted) return
      this.#options.log({ level: 'warn', event: 'worker.ended', worker: name, evidence })
      await this.#options.onEnd(name)
      failures = performance.now() - startedAt > longestPause ? 0 : failures + 1
      const pause = failures === 0 ? 0 : Math.min(longestPause, 250 * 2 ** failures)
      await systemClock.sleep(pause, signal).catch(() => undefined)
    }
  }

  async #runOne(name: string): Promise<string> {
    // The child ends with its standard input.
    const child = fork(program, [], { stdio: ['pipe', 2, 2, 'ipc'], detached: true })
    const ended = once(child, 'close')
    this.#children.set(child, ended)
    child.on('message', (message: MessageFromClusterWorker) => {
      if (message.type === 'log') this.#options.log(message.entry)
    })
    child.send({ ...this.#options.work, name }, () => undefined)
    try {
      const [code, signal] = await ended
      return signal === null ? `It ended with code ${code}.` : `It was ended by ${signal}.`
    } catch (error) {
      return String(error)
    } finally {
      this.#children.delete(child)
    }
  }
}
