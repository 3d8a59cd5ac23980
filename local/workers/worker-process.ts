import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import type { EpisodeMessage } from '../../shared/core/engine/episodes/episode-message.ts'
import { type ProcessFacts, readProcessFacts } from './process-facts.ts'
import type { MessageFromWorker, MessageToWorker, WorkerAssignment } from './worker-messages.ts'

export interface WorkerLimits {
  /** Bytes of resident memory at which it is asked to leave. At a quarter more it is ended. */
  memory: number
  /** Milliseconds for which its event loop may be blocked. @default 10,000 */
  stall?: number
}

export interface WorkerEnd {
  /** The reason in a sentence, for example `Its event loop stood still for 10 s.` */
  evidence: string
  wasAsked: boolean
  lived: number
  alone: EpisodeMessage | null
}

/** The memory at which a worker is ended, as a multiple of the memory at which it is asked to leave. */
const hardLimit = 1.25
const heardLatelyMilliseconds = 2000
const longestStart = 60_000
const drainGrace = 30
const niceness = 5

const entry = join(import.meta.dirname, `worker-entry${extname(import.meta.filename)}`)

export class WorkerProcess {
  readonly name: string
  readonly ended: Promise<WorkerEnd>
  readonly #child: ChildProcess
  readonly #limits: Required<WorkerLimits>
  readonly #startedAt = performance.now()
  #heardAt = performance.now()
  /** Processor time at its last message, in milliseconds. */
  #processorTime = 0
  #isReady = false
  #isStopping = false
  #alone: EpisodeMessage | null = null
  #verdict: string | null = null

  constructor(
    assignment: WorkerAssignment,
    limits: WorkerLimits,
    onMessage: (message: MessageFromWorker) => void,
  ) {
    this.name = assignment.name
    this.#limits = { stall: 10_000, ...limits }
    const heap = `--max-old-space-size=${Math.ceil(limits.memory / 2 ** 20)}`
    const kept = process.execArgv.filter((flag) => flag.startsWith('--max-semi-space-size'))
    this.#child = fork(entry, [], {
      execArgv: [...kept, heap, ...(process.sourceMapsEnabled ? ['--enable-source-maps'] : [])],
      // The command owns standard output. The input ends when this process does.
      stdio: ['pipe', 2, 2, 'ipc'],
      // Ctrl-C in the terminal is for this process, which then lets its workers commit.
      detached: true,
    })
    this.#child.stdin?.on('error', () => undefined)
    this.#child.on('message', (message: MessageFromWorker) => this.#hear(message, onMessage))
    this.ended = this.#watch()
    this.#lowerPriority()
    this.send({ type: 'start', assignment })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isPlaying(): boolean {
    return this.#isReady && !this.#isStopping
  }

  send(message: MessageToWorker): void {
    // A send fails if the process is gone: `ended` resolves then.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  async stop(grace: number): Promise<void> {
    this.#isStopping = true
    this.send({ type: 'stop', grace })
    const timer = setTimeout(() => this.#end(`It did not leave within ${grace} s.`), (grace + 3) * 1000)
    await this.ended
    clearTimeout(timer)
  }

  /**
   * Checks its limits.
   * @param wasAsleep true if this process itself was blocked, and may have missed messages
   */
  async check(wasAsleep: boolean): Promise<void> {
    const facts = await readProcessFacts(this.#child.pid)
    if (wasAsleep) this.#heardAt = performance.now()
    if (this.#isStalled(facts)) {
      const silence = Math.floor((performance.now() - this.#heardAt) / 1000)
      this.#end(
        this.#isReady
          ? `Its event loop stood still for ${silence} s.`
          : `It did not start within ${longestStart / 1000} s.`,
      )
      return
    }
    const used = facts?.memory ?? 0
    const { memory } = this.#limits
    const verdict = `It used ${inMegabytes(used)} of memory, of ${inMegabytes(memory)} allowed.`
    if (used > memory * hardLimit) this.#end(verdict)
    else if (used > memory && !this.#isStopping) {
      this.#verdict = verdict
      void this.stop(drainGrace)
    }
  }

  /** If the machine has no time for the process, its silence proves nothing yet. */
  #isStalled(facts: ProcessFacts | null): boolean {
    const silence = performance.now() - this.#heardAt
    if (!this.#isReady)
      return performance.now() - this.#startedAt > longestStart && silence > this.#limits.stall
    const { stall } = this.#limits
    if (silence < stall) {
      if (silence < heardLatelyMilliseconds) this.#processorTime = facts?.processorTime ?? 0
      return false
    }
    if (facts === null || !facts.isRunnable || silence > 3 * stall) return true
    return facts.processorTime - this.#processorTime > stall / 4
  }

  #hear(message: MessageFromWorker, onMessage: (message: MessageFromWorker) => void): void {
    this.#heardAt = performance.now()
    if (message.type === 'ready') this.#isReady = true
    if (message.type === 'alone') this.#alone = message.episode
    onMessage(message)
  }

  #end(verdict: string): void {
    this.#verdict = verdict
    this.#child.kill('SIGKILL')
  }

  async #watch(): Promise<WorkerEnd> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#child.once('error', (error) => {
      if (this.#child.pid === undefined) resolve(`It could not be started: ${error.message}`)
    })
    // The last message arrives before the channel closes, and the channel closes after the process exits.
    this.#child.once('close', (code, signal) =>
      resolve(signal === null ? `It ended with code ${code}.` : `It was ended by ${signal}.`),
    )
    const end = await promise
    const wasAsked = this.#isStopping && this.#verdict === null
    this.#isStopping = true
    const lived = performance.now() - this.#startedAt
    return { evidence: this.#verdict ?? end, wasAsked, lived, alone: this.#alone }
  }

  #lowerPriority(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      setPriority(pid, niceness)
    } catch (error) {
      process.emitWarning(`Could not lower the priority of a worker: ${String(error)}`)
    }
  }
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
