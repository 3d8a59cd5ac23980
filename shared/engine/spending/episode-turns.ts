import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerKey, World } from '../../world/ports.ts'
import { EpisodeStoppedError } from '../episode-stopped-error.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'
import { type Affordable, affordableEpisodes } from './affordable.ts'
import type { Amount } from './amount.ts'

export interface EpisodeTurnsOptions {
  world: World
  store: RunStore
  worker: string
  hold: (run: string) => Promise<void>
  giveBack: (run: string) => Promise<void>
}

interface Waiter {
  episode: string
  isStarted: boolean
}

interface RunTurns {
  row: RunRow
  affordable: Affordable
  lookedAt: number
  isStale: boolean
  bound: Amount | null
  held: Map<string, { slot: number; key: LedgerKey }>
  started: Set<string>
  waiting: Waiter[]
}

/** Milliseconds between checks of a run: without caps, far from its caps, and while episodes wait for turns. */
const lookEvery = { uncapped: 10_000, free: 1000, waiting: 200 }

/**
 * Admits a run's episodes to their next effect. Far from every cap all run concurrently. Near one, the number of
 * turns is the number of episodes that the cap's remainder pays for, over all workers; the others wait, and started
 * episodes go first. Each turn is a ledger item.
 */
export class EpisodeTurns {
  readonly #options: EpisodeTurnsOptions
  readonly #runs = new Map<string, RunTurns>()

  constructor(options: EpisodeTurnsOptions) {
    this.#options = options
  }

  /**
   * Resolves once the episode may continue, with the milliseconds it waited.
   * @throws EpisodeStoppedError if the run does not continue
   * @throws the signal's reason if it aborts
   */
  async enter(run: string, episode: string, signal: AbortSignal): Promise<number> {
    const turns = await this.#look(run)
    if (this.#mayGoOn(turns, episode)) {
      turns.started.add(episode)
      return 0
    }
    const since = performance.now()
    await this.#drop(turns, episode)
    const waiter = { episode, isStarted: turns.started.has(episode) }
    turns.waiting.push(waiter)
    turns.waiting.sort((one, other) => Number(other.isStarted) - Number(one.isStarted) || compare(one, other))
    try {
      await this.#wait(run, turns, waiter, signal)
    } finally {
      turns.waiting.splice(turns.waiting.indexOf(waiter), 1)
    }
    turns.started.add(episode)
    return performance.now() - since
  }

  async leave(run: string, episode: string): Promise<void> {
    const turns = this.#runs.get(run)
    if (turns === undefined) return
    turns.started.delete(episode)
    await this.#drop(turns, episode)
  }

  forget(run: string): void {
    const turns = this.#runs.get(run)
    if (turns !== undefined && turns.held.size === 0 && turns.waiting.length === 0) this.#runs.delete(run)
  }

  isNear(run: string): boolean {
    return Number.isFinite(this.#runs.get(run)?.affordable.episodes ?? Number.POSITIVE_INFINITY)
  }

  renew(run: string): void {
    const turns = this.#runs.get(run)
    if (turns !== undefined) turns.isStale = true
  }

  update({ id, revision }: RunRow): void {
    if (this.#runs.get(id)?.row.revision !== revision) this.renew(id)
  }

  note(run: string, bound: Amount): void {
    const turns = this.#runs.get(run)
    if (turns === undefined) return
    const { cost, tokens } = turns.bound ?? { cost: 0, tokens: 0 }
    if (turns.bound !== null && bound.cost <= cost && bound.tokens <= tokens) return
    turns.bound = { cost: Math.max(cost, bound.cost), tokens: Math.max(tokens, bound.tokens) }
    if (turns.affordable.of !== null) turns.isStale = true
  }

  async #wait(run: string, turns: RunTurns, waiter: Waiter, signal: AbortSignal): Promise<void> {
    await this.#options.hold(run)
    for (let looks = 0; ; looks += 1) {
      signal.throwIfAborted()
      if (this.#mayGoOn(turns, waiter.episode)) return
      // An episode without cost so far lets those of other workers go first.
      const mayTake = turns.waiting[0] === waiter && (waiter.isStarted || looks > 1)
      if (mayTake && (await this.#take(run, turns, waiter.episode))) return
      if (turns.held.size === 0 && turns.waiting[0] === waiter) await this.#options.giveBack(run)
      await delay(lookEvery.waiting, undefined, { signal })
      turns.isStale = true
      await this.#look(run)
    }
  }

  #mayGoOn({ affordable, held }: RunTurns, episode: string): boolean {
    if (affordable.episodes === Number.POSITIVE_INFINITY) return true
    const turn = held.get(episode)
    return turn !== undefined && turn.slot < affordable.episodes
  }

  async #look(run: string): Promise<RunTurns> {
    const known = this.#runs.get(run)
    if (known !== undefined && !known.isStale && performance.now() - known.lookedAt < lookEvery.free)
      return known
    const { store, world } = this.#options
    const row = await store.get(run)
    if (row.status !== 'running') throw new EpisodeStoppedError('paused', `The run is ${row.status}.`)
    const affordable = await affordableEpisodes(world, row, known?.bound ?? null)
    const seen = { row, affordable, lookedAt: performance.now(), isStale: false }
    const turns = this.#runs.get(run)
    if (turns !== undefined) return Object.assign(turns, seen)
    const made: RunTurns = { ...seen, bound: null, held: new Map(), started: new Set(), waiting: [] }
    this.#runs.set(run, made)
    return made
  }

  async #take(run: string, turns: RunTurns, episode: string): Promise<boolean> {
    const { ledger } = this.#options.world
    const { worker } = this.#options
    const { affordable, row } = turns
    for (let slot = 0; slot < affordable.episodes; slot += 1) {
      const key =
        affordable.of === 'tenant' ? ledgerKeys.tenantTurn(row.tenant, slot) : ledgerKeys.turn(run, slot)
      const taken = await ledger.update({ key, if: [{ is: 'absent' }], set: { run, episode, worker } })
      if (taken.ok) {
        turns.held.set(episode, { slot, key })
        return true
      }
      await this.#freeDead(key)
    }
    return false
  }

  async #freeDead(key: LedgerKey): Promise<void> {
    const { ledger } = this.#options.world
    const turn = (await ledger.get(key)) as { run: string; episode: string; worker: string } | null
    if (turn === null || turn.worker === this.#options.worker) return
    if ((await ledger.get(ledgerKeys.holding(turn.worker, turn.run))) !== null) return
    await ledger.update({ key, delete: true, if: ownedBy(turn) })
  }

  async #drop(turns: RunTurns, episode: string): Promise<void> {
    const turn = turns.held.get(episode)
    if (turn === undefined) return
    turns.held.delete(episode)
    const { world, worker } = this.#options
    await world.ledger.update({ key: turn.key, delete: true, if: ownedBy({ worker, episode }) })
  }
}

function ownedBy({ worker, episode }: { worker: string; episode: string }) {
  return [
    { attribute: 'worker', is: 'equal' as const, value: worker },
    { attribute: 'episode', is: 'equal' as const, value: episode },
  ]
}

function compare(one: Waiter, other: Waiter): number {
  return one.episode < other.episode ? -1 : 1
}
