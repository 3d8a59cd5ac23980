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
  readonly #playing = new Set<Promise<void>>()
  #loops: Promise<void>[] = []
  #isAlone = false
  #waiting: (() => void)[] = []

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Sends the first heartbeat and begins to take episodes. */
  async start(): Promise<void> {
    const { world, worker } = this.#options
    await sendHeartbeat(world, worker)
    this.#loops = [
      this.#take(),
      this.#takeAlone(),
      this.#repeat(heartbeat.every * 1000, 'heartbeat', () => sendHeartbeat(world, worker)),
      this.#repeat(lookEvery, 'looking at runs', () => this.#lookAtRuns()),
    ]
  }

  /**
   * Takes no more work, lets the episodes commit what is in flight, and cuts off what is not there after `grace`
   * seconds; calls cut off are counted as lost.
   */
  async stop(grace: number): Promise<void> {
    const { runner, world, worker } = this.#options
    this.#stopping.abort()
    runner.stop('deadline', 'The worker stops.')
    const timer = setTimeout(() => runner.abort(), grace * 1000)
    this.#freed()
    await Promise.all(this.#loops)
    await Promise.all(this.#playing)
    clearTimeout(timer)
    await world.ledger.update({ key: ledgerKeys.worker(worker), delete: true })
  }

  async #take(): Promise<void> {
    const { world, capacity } = this.#options
    while (!this.#stopping.signal.aborted) {
      const free = this.#isAlone ? 0 : capacity - this.#playing.size
      if (free <= 0) {
        await this.#oneIsFreed()
        continue
      }
      for (const message of await this.#receive(world.queues.episodes, Math.min(free, 100)))
        this.#play(world.queues.episodes, message, false)
    }
  }

  async #takeAlone(): Promise<void> {
    const { alone } = this.#options.world.queues
    while (!this.#stopping.signal.aborted) {
      for (const message of await this.#receive(alone, 1)) {
        this.#isAlone = true
        while (this.#playing.size > 0 && !this.#stopping.signal.aborted) await this.#oneIsFreed()
        await this.#play(alone, message, true)
        this.#isAlone = false
        this.#freed()
      }
    }
  }

  async #receive(queue: Queue, max: number): Promise<IncomingMessage[]> {
    const { signal } = this.#stopping
    try {
      return await queue.receive({ max, wait: 20, visibility, signal })
    } catch (error) {
      if (signal.aborted) return []
      this.#options.onError(error, 'receiving messages')
      await this.#options.world.clock
        .sleep(1000, signal)
        .catch(() => this.#options.onError(signal.reason, 'waiting'))
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
        await queue.extend(message.receipt, 5)
      })
      .catch((error: unknown) => onError(error, 'giving a message back'))
      .finally(() => {
        this.#playing.delete(played)
        this.#freed()
      })
    this.#playing.add(played)
    return played
  }

  async #lookAtRuns(): Promise<void> {
    const { runner, store } = this.#options
    for (const run of runner.runs) await runner.look(await store.get(run))
  }

  async #repeat(milliseconds: number, what: string, action: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        signal.addEventListener(
          'abort',
          () => {
            clearTimeout(timer)
            resolve()
          },
          { once: true },
        )
      })
      if (signal.aborted) return
      await action().catch((error: unknown) => this.#options.onError(error, what))
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
