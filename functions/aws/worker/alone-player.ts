import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { extname, join } from 'node:path'
import {
  type EpisodeMessage,
  episodeMessageSchema,
  retryAfter,
} from '../../../shared/core/engine/episodes/episode-message.ts'
import type { Engine } from '../../../shared/core/engine/open-engine.ts'
import type { IncomingMessage, World } from '../../../shared/core/world/ports.ts'
import { errorFields, type Log } from '../../api/log.ts'
import type { MessageFromAlone, MessageToAlone } from './alone-messages.ts'

export interface AlonePlayerNeeds {
  world: World
  engine: Pick<Engine, 'blame' | 'note'>
  environment: NodeJS.ProcessEnv
  log: Log
}

const hiddenSeconds = 300

const program = join(import.meta.dirname, `alone-process${extname(import.meta.filename)}`)

/**
 * Plays episodes that must run alone, one at a time, each in its own process, so that a crash takes nothing else
 * down. A death there counts against the episode.
 */
export class AlonePlayer {
  readonly #needs: AlonePlayerNeeds
  readonly #stopping = new AbortController()
  #child: ChildProcess | null = null
  #finished: Promise<void> = Promise.resolve()

  constructor(needs: AlonePlayerNeeds) {
    this.#needs = needs
  }

  get isPlaying(): boolean {
    return this.#child !== null
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    this.#finished = this.#take()
  }

  /**
   * Takes no more messages, and lets the current episode commit and leave.
   * @param grace - seconds until the process is ended
   */
  async stop(grace: number): Promise<void> {
    this.#stopping.abort()
    send(this.#child, { type: 'stop' })
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), grace * 1000)
    await this.#finished
    clearTimeout(timer)
  }

  async #take(): Promise<void> {
    const { clock, queues } = this.#needs.world
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const options = { max: 1, wait: 20, visibility: hiddenSeconds, signal }
        for (const message of await queues.alone.receive(options)) await this.#play(message)
      } catch (error) {
        if (signal.aborted) return
        this.#fault(error, 'taking episodes that are played alone')
        await clock.sleep(1000)
      }
    }
  }

  async #play(incoming: IncomingMessage): Promise<void> {
    const { alone } = this.#needs.world.queues
    const { data: message } = episodeMessageSchema.safeParse(incoming.body)
    // The dead-letter handler settles messages that name no episode.
    if (message === undefined) return
    const hiding = setInterval(
      () => {
        alone
          .extend(incoming.receipt, hiddenSeconds)
          .catch((error: unknown) => this.#fault(error, 'hiding a message for longer'))
      },
      (hiddenSeconds / 3) * 1000,
    )
    try {
      const isDone = await this.#playIn(`worker-${randomUUID()}`, message, incoming.receives)
      if (isDone === true) await alone.delete(incoming.receipt)
      else await alone.extend(incoming.receipt, isDone)
    } finally {
      clearInterval(hiding)
    }
  }

  /** @returns true when the message is settled, else the seconds until it returns */
  async #playIn(worker: string, message: EpisodeMessage, receives: number): Promise<true | number> {
    const { engine, log } = this.#needs
    log({ level: 'info', event: 'worker.alone', worker, ...message })
    const end = await this.#runProcess(worker, message)
    if (end.type === 'played') return true
    if (end.type === 'failed') {
      log({ level: 'error', event: 'service.failed', worker, what: 'playing alone', error: end.error })
      await engine.note(message, new Error(end.error))
      return retryAfter(end.isTransient, receives)
    }
    log({ level: 'warn', event: 'worker.ended', worker, evidence: end.evidence, ...message })
    // If the death counts, or the episode made progress first, the engine has sent a new message.
    await engine.blame(message, { worker, evidence: end.evidence })
    return 60
  }

  #runProcess(
    worker: string,
    message: EpisodeMessage,
  ): Promise<MessageFromAlone | { type: 'died'; evidence: string }> {
    const child = fork(program, [], {
      env: this.#needs.environment,
      stdio: ['ignore', 2, 2, 'ipc'],
      // Ctrl-C in the terminal is meant for the worker.
      detached: true,
    })
    this.#child = child
    if (this.#stopping.signal.aborted) child.kill('SIGKILL')
    const { promise, resolve } = Promise.withResolvers<
      MessageFromAlone | { type: 'died'; evidence: string }
    >()
    child.once('message', (answer: MessageFromAlone) => resolve(answer))
    child.once('error', (error) => resolve({ type: 'died', evidence: error.message }))
    child.once('close', (code, signal) => {
      if (this.#child === child) this.#child = null
      resolve({
        type: 'died',
        evidence: signal === null ? `It ended with code ${code}.` : `It was ended by ${signal}.`,
      })
    })
    send(child, { type: 'play', worker, message })
    return promise
  }

  #fault(error: unknown, what: string): void {
    this.#needs.log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  }
}

function send(child: ChildProcess | null, message: MessageToAlone): void {
  if (child?.connected) child.send(message, () => undefined)
}
