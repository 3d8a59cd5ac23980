import { Coalesced } from '../../world/coalesced.ts'
import { acquireLease, type Lease, readLease, releaseLease, renewLease } from '../../world/lease.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'
import { topUp } from '../runs/top-up.ts'
import { foldEnds, readEnds } from './fold-ends.ts'

export interface StewardOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  worker: string
}

// Milliseconds: the lease's duration, and the remaining time below which it is renewed.
const lease = { duration: 10_000, renewBelow: 7000 }

/**
 * Milliseconds after which a process hands over a busy run whose ends come from others: its own work waits meanwhile.
 */
const longestTerm = 5000

interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Counts the ends of runs' episodes, many per transaction, and queues the next episodes. One process per run does so
 * at a time, by a lease, because a run's item supports few changes a second. No end is forgotten: the process that
 * ends an episode writes the end first and checks the lease then, and the holder looks for ends once more after
 * releasing it. If a steward dies, the next end after its lease or the sweeper finds its uncounted ends. The lease
 * only keeps stewards from hindering each other: late ones count nothing twice, see {@link foldEnds}.
 */
export class Steward {
  readonly #options: StewardOptions
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #topUps = new Coalesced()

  constructor(options: StewardOptions) {
    this.#options = options
  }

  /**
   * Waits until the run's present ends are counted and its next episodes queued, by this process or by the lease's
   * holder.
   * @param dead - workers known to be dead: their leases are taken over
   */
  tend(run: string, dead: ReadonlySet<string> = new Set()): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(run)
      if (waiting !== undefined) waiting.push({ resolve, reject })
      else {
        this.#waiting.set(run, [{ resolve, reject }])
        void this.#serve(run, dead)
      }
    })
  }

  async #serve(run: string, dead: ReadonlySet<string>): Promise<void> {
    for (;;) {
      const waiting = this.#take(run)
      if (waiting.length === 0) break
      try {
        await this.#hold(run, dead, waiting)
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#waiting.delete(run)
  }

  #take(run: string): Waiting[] {
    const waiting = this.#waiting.get(run) ?? []
    this.#waiting.set(run, [])
    return waiting
  }

  async #hold(run: string, dead: ReadonlySet<string>, waiting: Waiting[]): Promise<void> {
    const { world } = this.#options
    for (let first = true; ; first = false) {
      if (!first && (await readEnds(world.ledger, run, 1)).items.length === 0) return
      const held = await this.#acquire(run, dead)
      if (held === null) return
      try {
        await this.#tendWhileHeld(run, held, waiting)
      } finally {
        // The lease may have been renewed meanwhile, which changes neither its holder nor its token.
        await releaseLease(world.ledger, held)
      }
    }
  }

  async #tendWhileHeld(run: string, held: Lease, waiting: Waiting[]): Promise<void> {
    const { clock } = this.#options.world
    const begun = clock.now()
    const keeping = { lease: held }
    for (;;) {
      await foldEnds(this.#options.world, this.#options.store, run, () => this.#keep(keeping))
      const queued = this.#topUp(run)
      const more = this.#take(run)
      if (more.length === 0 || clock.now() - begun > longestTerm) {
        waiting.push(...more)
        return queued
      }
      const served = waiting.splice(0, waiting.length, ...more)
      queued.then(
        () => {
          for (const { resolve } of served) resolve()
        },
        (error: unknown) => {
          for (const { reject } of served) reject(error)
        },
      )
    }
  }

  #topUp(run: string): Promise<void> {
    const { definitions, store, world } = this.#options
    return this.#topUps.run(run, () => topUp(world, store, definitions, run))
  }

  async #acquire(run: string, dead: ReadonlySet<string>): Promise<Lease | null> {
    const { world, worker } = this.#options
    const key = ledgerKeys.steward(run)
    const held = await readLease(world.ledger, key)
    if (held !== null && dead.has(held.holder)) await releaseLease(world.ledger, held)
    else if (held !== null && held.holder !== worker && isHeld(held, world.clock.now())) return null
    return acquireLease(world.ledger, key, worker, { now: world.clock.now(), duration: lease.duration })
  }

  async #keep(keeping: { lease: Lease }): Promise<boolean> {
    const { clock, ledger } = this.#options.world
    const now = clock.now()
    const left = keeping.lease.expires_at - now
    if (left > lease.renewBelow && left <= lease.duration) return true
    const renewed = await renewLease(ledger, keeping.lease, { now, duration: lease.duration })
    if (renewed === null) return false
    keeping.lease = renewed
    return true
  }
}

/** A lease that lasts longer than any can was taken before the clock was set back. */
function isHeld({ expires_at }: Lease, now: number): boolean {
  return expires_at > now && expires_at <= now + 2 * lease.duration
}
