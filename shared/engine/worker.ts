import type { IncomingMessage, Queue, World } from '../world/ports.ts'
import type { EpisodeRunner } from './episodes/episode-runner.ts'
import { ledgerKeys } from './keys.ts'
import type { RunStore } from './runs/run-store.ts'
import { heartbeat, sendHeartbeat } from './workers.ts'

export interface WorkerOptions {
  world: World
  store: RunStore
  runner: EpisodeRunner
  worker: string
  /** Episodes played side by side at most. */
  capacity: number
  /** Told of everything that went wrong around an episode; its message comes back later. */
  onError: (error: unknown, what: string) => void
}

/** Seconds a message stays hidden: longer than any episode plays in one go; a dead worker's are sent again by the sweeper. */
const visibility = 12 * 3600
/** Milliseconds between looks at whether a run was paused or cancelled, or has other caps. */
const lookEvery = 1000

/**
 * Plays queued episodes for as long as the process lives: many side by side, and one from the queue `alone` only while
 * nothing else is played.
 */
export class Worker {
  readonly #options: WorkerOptions
  readonly #stopping = new AbortController()
  /** Ends the heartbeats: after the last episode has left, not before. */
  readonly #gone = new AbortController()
  readonly #playing = new Set<Promise<void>>()
  #loops: Promise<void>[] = []
  #beats: Promise<void> | null = null
  /** While set, nothing but one episode is played. */
  #isAlone = false
  /** Cuts short the waiting for ordinary episodes. */
  #interruption = new AbortController()
  #taking: Promise<void> = Promise.resolve()
  #waiting: (() => void)[] = []

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Sends the first heartbeat and begins to take episodes. */
  async start(): Promise<void> {
    const { signal } = this.#stopping
    await this.#beat()
    this.#beats = this.#repeat(heartbeat.every * 1000, this.#gone.signal, 'heartbeat', () => this.#beat())
    this.#loops = [
      this.#take(),
      this.#takeAlone(),
      this.#repeat(lookEvery, signal, 'looking at runs', () => this.#lookAtRuns()),
    ]
  }

  /** Sends a heartbeat at once, if it works: a process that slept must not count itself as dead. */
  async stayAlive(): Promise<void> {
    if (this.#beats !== null && !this.#gone.signal.aborted) await this.#beat()
  }

  /**
   * Takes no more work, lets the episodes commit what is in flight, and cuts off what is not there after `grace`
   * seconds; calls cut off are counted as lost.
   */
  async stop(grace: number): Promise<void> {
    const { runner, world, worker } = this.#options
    this.#stopping.abort()
    this.#interruption.abort()
    runner.stop('deadline', 'The worker stops.')
    const timer = setTimeout(() => runner.abort(), grace * 1000)
    this.#freed()
    await Promise.all(this.#loops)
    await Promise.all(this.#playing)
    clearTimeout(timer)
    this.#gone.abort()
    await this.#beats
    await world.ledger.update({ key: ledgerKeys.worker(worker), delete: true })
  }

  async #take(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const free = this.#isAlone ? 0 : this.#options.capacity - this.#playing.size
      if (free > 0) {
        this.#taking = this.#takeSome(Math.min(free, 100))
        await this.#taking
      } else await this.#oneIsFreed()
    }
  }

  async #takeSome(max: number): Promise<void> {
    const { episodes } = this.#options.world.queues
    if (!this.#stopping.signal.aborted) this.#interruption = new AbortController()
    for (const message of await this.#receive(episodes, max, this.#interruption.signal)) {
      this.#play(episodes, message, false)
    }
  }

  async #takeAlone(): Promise<void> {
    const { alone } = this.#options.world.queues
    const { signal } = this.#stopping
    while (!signal.aborted) {
      for (const message of await this.#receive(alone, 1, signal)) {
        this.#isAlone = true
        this.#interruption.abort()
        await this.#taking
        while (this.#playing.size > 0 && !signal.aborted) await this.#oneIsFreed()
        await this.#play(alone, message, true)
        this.#isAlone = false
        this.#freed()
      }
    }
  }

  async #receive(queue: Queue, max: number, signal: AbortSignal): Promise<IncomingMessage[]> {
    try {
      return await queue.receive({ max, wait: 20, visibility, signal })
    } catch (error) {
      if (signal.aborted) return []
      this.#options.onError(error, 'receiving messages')
      await this.#pause(1000)
      return []
    }
  }

  #play(queue: Queue, message: IncomingMessage, isAlone: boolean): Promise<void> {
    const { runner, onError } = this.#options
    const played = runner
      .play(message, isAlone)
      .then(() => queue.delete(message.receipt))
      .catch(async (error: unknown) => {
        onError(error, `playing ${JSON.stringify(message.body)}`)
        await this.#putBack(queue, message)
      })
      .finally(() => {
        this.#playing.delete(played)
        this.#freed()
      })
    this.#playing.add(played)
    return played
  }

  /** Sends the message anew, as often as it takes: one that stayed hidden would strand its episode. */
  async #putBack(queue: Queue, { body, group, receipt }: IncomingMessage): Promise<void> {
    for (let delay = 1; !this.#stopping.signal.aborted; delay = Math.min(delay * 2, 60)) {
      await this.#pause(delay * 1000)
      try {
        await queue.send([{ body, group }])
        await queue.delete(receipt)
        return
      } catch (error) {
        this.#options.onError(error, 'putting a message back')
      }
    }
  }

  async #beat(): Promise<void> {
    await sendHeartbeat(this.#options.world, this.#options.worker)
  }

  async #lookAtRuns(): Promise<void> {
    const { runner, store } = this.#options
    for (const run of runner.runs) await runner.look(await store.get(run))
  }

  async #repeat(
    milliseconds: number,
    signal: AbortSignal,
    what: string,
    action: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      await this.#pause(milliseconds, signal)
      if (signal.aborted) return
      await action().catch((error: unknown) => this.#options.onError(error, what))
    }
  }

  /** Sleeps, shorter when the signal fires. */
  async #pause(milliseconds: number, signal = this.#stopping.signal): Promise<void> {
    try {
      await this.#options.world.clock.sleep(milliseconds, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #oneIsFreed(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #freed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
