import { mostNamedEpisodes, type WorkerMachine } from '../contracts/machine.ts'
import type { World } from '../world/ports.ts'
import type { EpisodeRunner } from './episodes/episode-runner.ts'
import { ledgerKeys } from './keys.ts'
import type { RunStore } from './runs/run-store.ts'
import { type Announcement, enlistWorker, heartbeat, sendHeartbeat } from './workers.ts'

export interface PresenceOptions {
  world: World
  store: RunStore
  runner: EpisodeRunner
  worker: string
  code?: string
  /** Announced with each heartbeat, beside the worker's load. @default the worker announces nothing */
  machine?: WorkerMachine
  lookEvery?: number
  onError: (error: unknown, what: string) => void
}

export class Presence {
  readonly #options: PresenceOptions
  readonly #gone = new AbortController()
  #repeated: Promise<unknown> | null = null
  #wasBuried = false
  #isLeaving = false

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  async begin(): Promise<void> {
    await enlistWorker(this.#options.world, this.#options.worker, this.#announced())
    this.#repeated = Promise.all([
      this.#repeat(heartbeat.every * 1000, 'heartbeat', () => this.#beat()),
      this.#repeat(this.#options.lookEvery ?? 1000, 'looking at runs', () => this.#look()),
    ])
  }

  /** Sends a heartbeat immediately, while the worker lives: a process that slept must not count itself as dead. */
  async stayAlive(): Promise<void> {
    if (this.#repeated !== null && !this.#gone.signal.aborted) await this.#beat()
  }

  async leave(): Promise<void> {
    this.#isLeaving = true
    await this.stayAlive().catch((error: unknown) => this.#options.onError(error, 'heartbeat'))
  }

  /**
   * Ends the heartbeats and removes the worker from the list. One that could not count all its calls stays listed and
   * soon counts as dead, so that the sweeper settles them.
   */
  async end({ isSettled }: { isSettled: boolean } = { isSettled: true }): Promise<void> {
    const { world, worker } = this.#options
    this.#gone.abort()
    await this.#repeated
    if (isSettled) await world.ledger.update({ key: ledgerKeys.worker(worker), delete: true })
  }

  async #beat(): Promise<void> {
    const { runner, world, worker } = this.#options
    if (!(await sendHeartbeat(world, worker, this.#announced()))) this.#wasBuried = true
    if (!this.#wasBuried) return
    await runner.holdAgain()
    this.#wasBuried = false
  }

  #announced(): Announcement {
    const { code, machine, runner } = this.#options
    const played = code === undefined ? {} : { code }
    if (machine === undefined && !this.#isLeaving) return played
    const taken = runner.taken
    const episodes = taken.slice(0, mostNamedEpisodes)
    return {
      ...played,
      ...(machine && { machine }),
      load: { playing: taken.length, leaving: this.#isLeaving, episodes },
    }
  }

  async #look(): Promise<void> {
    const { onError, runner, store } = this.#options
    for (const run of runner.runs) {
      try {
        const row = await store.find(run)
        if (row === null) runner.stop('cancelled', 'The run was deleted.', run)
        else await runner.look(row)
      } catch (error) {
        onError(error, `looking at ${run}`)
      }
    }
  }

  async #repeat(milliseconds: number, what: string, action: () => Promise<void>): Promise<void> {
    const { signal } = this.#gone
    for (;;) {
      try {
        await this.#options.world.clock.sleep(milliseconds, signal)
        await action()
      } catch (error) {
        if (signal.aborted) return
        this.#options.onError(error, what)
      }
    }
  }
}
