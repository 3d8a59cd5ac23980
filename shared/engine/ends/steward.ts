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
  /** Of this process: the holder of its leases. */
  worker: string
}

/** Milliseconds: for how long a lease is held without being renewed, and how much of that is left when it is renewed. */
const lease = { duration: 10_000, renewBelow: 7000 }

/** Milliseconds after which a process hands a busy run on, whose ends are those of others: its own work waits to be done with. */
const longestTerm = 5000

/** A caller who waits until what had ended is counted. */
interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Counts the ends of runs' episodes, many in a transaction, and queues what comes next. Of all processes that play a run one does
 * so at a time, by a lease, because a run's item bears few changes a second. No end is forgotten: who ends an episode writes the
 * end first and looks at the lease then, and who holds the lease looks for ends once more after it has let it go. What a steward
 * leaves that dies is found by the next end after its lease, or by the sweeper. The lease only keeps stewards from hindering each
 * other: late ones count nothing twice, see {@link foldEnds}.
 */
export class Steward {
  readonly #options: StewardOptions
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #topUps = new Coalesced()

  constructor(options: StewardOptions) {
    this.#options = options
  }

  /**
   * Has the run's ends counted that lie there now, and its next episodes queued: by this process, or by the one that holds the
   * lease.
   *
   * @param dead - workers that are known to be dead: what they hold is taken from them
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

  /** Is the run's steward until nothing is left to count, or another is. */
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

  /** Goes on for those who ask meanwhile, each of whom waits for one pass alone. */
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

  /** Looks before it asks: of a thousand that end at the same moment all but one find the lease held. */
  async #acquire(run: string, dead: ReadonlySet<string>): Promise<Lease | null> {
    const { world, worker } = this.#options
    const key = ledgerKeys.steward(run)
    const held = await readLease(world.ledger, key)
    if (held !== null && dead.has(held.holder)) await releaseLease(world.ledger, held)
    else if (held !== null && held.holder !== worker && isHeld(held, world.clock.now())) return null
    return acquireLease(world.ledger, key, worker, { now: world.clock.now(), duration: lease.duration })
  }

  /** @returns false once another has taken the lease */
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

/** One that lasts for longer than any does was taken before the clock was set back. */
function isHeld({ expires_at }: Lease, now: number): boolean {
  return expires_at > now && expires_at <= now + 2 * lease.duration
}
