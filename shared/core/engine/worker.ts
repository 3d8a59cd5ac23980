import type { IncomingMessage, Queue, World } from '../world/ports.ts'
import type { Steward } from './ends/steward.ts'
import { buryEpisode, noteFailure } from './episodes/dead-letters.ts'
import { isTransient } from './episodes/episode-error.ts'
import { type EpisodeMessage, episodeMessageSchema, retryAfter } from './episodes/episode-message.ts'
import type { EpisodeRunner } from './episodes/episode-runner.ts'
import type { Presence } from './presence.ts'
import type { RunDefinitions } from './runs/run-definition.ts'
import type { RunStore } from './runs/run-store.ts'

export type WorkerDuty = 'episodes' | 'alone' | 'dead_letters'

export const allDuties: readonly WorkerDuty[] = ['episodes', 'alone', 'dead_letters']

export interface WorkerOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  runner: EpisodeRunner
  steward: Pick<Steward, 'tend'>
  presence: Presence
  capacity: number
  duties: readonly WorkerDuty[]
  /**
   * True if other workers on this machine read the same queues: then it takes few messages at a time, so that each
   * gets its share.
   */
  hasPeers: boolean
  /**
   * Seconds for which a message being played stays hidden; the worker extends this for as long as it plays.
   * @default twelve hours, without extensions: longer than any episode plays in one go
   */
  hiddenFor?: number
  /** The number of its episodes that wait near a cap: others take their places. @default none waits */
  waiting?: () => number
  playable?: () => Promise<readonly string[] | null>
  /** False while a process under load must take nothing, however many slots are free. @default always */
  mayTake?: () => boolean
  /** Called before an episode is played alone, and with null once it no longer is; awaited. */
  onAlone: (message: EpisodeMessage | null) => Promise<void>
  onError: (error: unknown, what: string) => void
}

/**
 * Visibility timeout in seconds: longer than any episode plays in one go; the sweeper resends a dead worker's
 * messages.
 */
const visibility = 12 * 3600
const lookAgainAfter = 500
const buryEvery = 2000

/**
 * Plays queued episodes for as long as the process lives: many concurrently, and one from the queue `alone` only
 * while it plays nothing else.
 */
export class Worker {
  readonly #options: WorkerOptions
  readonly #stopping = new AbortController()
  readonly #playing = new Map<Promise<void>, { queue: Queue; message: IncomingMessage }>()
  #loops: Promise<void>[] = []
  #hiding: Promise<void> = Promise.resolve()
  readonly #left = new AbortController()
  #isAlone = false
  #interruption = new AbortController()
  #taking: Promise<void> = Promise.resolve()
  #waiting: (() => void)[] = []

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get playing(): number {
    return this.#playing.size
  }

  look(): void {
    this.#freed()
  }

  async start(): Promise<void> {
    await this.#options.presence.begin()
    const loops = {
      episodes: () => this.#take(),
      alone: () => this.#takeAlone(),
      dead_letters: () => this.#buryDead(),
    }
    this.#loops = this.#options.duties.map((duty) => loops[duty]())
    if (this.#options.hiddenFor !== undefined) this.#hiding = this.#keepHidden(this.#options.hiddenFor)
  }

  /**
   * Takes no more work, lets the episodes commit their effects in flight, and cuts off the unfinished ones after
   * `grace` seconds; calls cut off count as lost.
   */
  async stop(grace: number): Promise<void> {
    const { presence, runner } = this.#options
    this.#stopping.abort()
    this.#interruption.abort()
    runner.stop('shutdown', 'The worker stops.')
    const timer = setTimeout(() => runner.abort(), grace * 1000)
    this.#freed()
    await presence.leave()
    await Promise.all(this.#loops)
    await Promise.all(this.#playing.keys())
    clearTimeout(timer)
    this.#left.abort()
    await this.#hiding
    await presence.end({ isSettled: await this.#leave() })
  }

  async #leave(): Promise<boolean> {
    try {
      await this.#options.runner.leave()
      return true
    } catch (error) {
      this.#options.onError(error, 'counting the last calls')
      return false
    }
  }

  async #take(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const free = this.#isAlone ? 0 : this.#free()
      if (free > 0 && !(this.#options.mayTake?.() ?? true)) await this.#pause(lookAgainAfter)
      else if (free > 0) {
        this.#taking = this.#takeSome(Math.min(free, this.#mostAtOnce()))
        await this.#taking
      } else await this.#oneIsFreed()
    }
  }

  /** Episodes that wait for a turn take no place, but no more are held than twice the capacity. */
  #free(): number {
    const { capacity, waiting = () => 0 } = this.#options
    return capacity - this.#playing.size + Math.min(capacity, waiting())
  }

  #mostAtOnce(): number {
    return this.#options.hasPeers ? Math.max(2, Math.ceil(this.#playing.size / 8)) : 100
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
        const { data } = episodeMessageSchema.safeParse(message.body)
        if (data) await this.#options.onAlone(data)
        await this.#play(alone, message, true)
        if (data) await this.#options.onAlone(null)
        this.#isAlone = false
        this.#freed()
      }
    }
  }

  async #receive(queue: Queue, max: number, signal: AbortSignal): Promise<IncomingMessage[]> {
    const { hiddenFor = visibility, playable } = this.#options
    try {
      const groups = playable && { groups: playable }
      return await queue.receive({ max, wait: 20, visibility: hiddenFor, signal, ...groups })
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
        await this.#putBack(queue, message, error)
      })
      .finally(() => {
        this.#playing.delete(played)
        this.#freed()
      })
    this.#playing.set(played, { queue, message })
    return played
  }

  async #keepHidden(seconds: number): Promise<void> {
    while (!this.#left.signal.aborted) {
      await this.#pause((seconds / 3) * 1000, this.#left.signal)
      for (const { queue, message } of [...this.#playing.values()]) {
        try {
          await queue.extend(message.receipt, seconds)
        } catch (error) {
          // It returns, finds its episode being played, and is delivered again later.
          this.#options.onError(error, 'hiding a message for longer')
        }
      }
    }
  }

  /**
   * Returns the message after a delay, retrying until it succeeds: one that stayed hidden would strand its episode.
   */
  async #putBack(queue: Queue, { body, receipt, receives }: IncomingMessage, error: unknown): Promise<void> {
    for (let delay = 1; ; delay = Math.min(delay * 2, 60)) {
      try {
        const { data: message } = episodeMessageSchema.safeParse(body)
        if (message) {
          await noteFailure(this.#options, message, error)
          await this.#options.runner.releaseAgain(message)
        }
        await queue.extend(receipt, retryAfter(isTransient(error), receives))
        return
      } catch (failure) {
        this.#options.onError(failure, 'putting a message back')
        if (this.#stopping.signal.aborted) return
        await this.#pause(delay * 1000)
      }
    }
  }

  async #buryDead(): Promise<void> {
    const { episodes, alone } = this.#options.world.queues
    while (!this.#stopping.signal.aborted) {
      await this.#pause(buryEvery)
      for (const { dead_letters } of [episodes, alone]) {
        try {
          for (const letter of await dead_letters.receive({ max: 10, wait: 0, visibility: 60 })) {
            const { data: message } = episodeMessageSchema.safeParse(letter.body)
            if (message) await buryEpisode(this.#options, message)
            else
              this.#options.onError(new Error('A dead letter names no episode.'), JSON.stringify(letter.body))
            await dead_letters.delete(letter.receipt)
          }
        } catch (error) {
          this.#options.onError(error, 'ending the episodes of dead letters')
        }
      }
    }
  }

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
