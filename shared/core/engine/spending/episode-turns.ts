import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerCondition, LedgerKey, World } from '../../world/ports.ts'
import { EpisodeStoppedError } from '../episode-stopped-error.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'
import { type Affordable, affordableEpisodes, areCapsFar, leasedSince } from './affordable.ts'
import { type Amount, plus } from './amount.ts'
import { type Caps, readCaps } from './caps.ts'

export interface EpisodeTurnsOptions {
  world: World
  store: RunStore
  worker: string
  hold: (run: string) => Promise<void>
  giveBack: (run: string) => Promise<void>
  onWait?: () => void
}

interface Waiter {
  episode: string
  isStarted: boolean
}

interface Turn {
  slot: number
  key: LedgerKey
  take: number
}

interface RunTurns {
  row: RunRow
  caps: readonly Caps[]
  affordable: Affordable
  lookedAt: number
  isStale: boolean
  /** The largest upper bound of a call of this worker; null before its first. */
  bound: Amount | null
  /** The bound that another worker shows beside its turn, while this one has none. */
  shown: Amount | null
  /** The own bound as it was last shown. */
  showing: Amount | null
  held: Map<string, Turn>
  started: Set<string>
  waiting: Waiter[]
  woken: PromiseWithResolvers<void>
}

// Milliseconds between checks of a run near a cap: while no episode waits, and while some wait for turns.
const lookEvery = { idle: 1000, waiting: 200 }
// Milliseconds for which an episode without cost so far lets those of other workers go first.
const deference = 2 * lookEvery.waiting

/**
 * Admits a run's episodes to their next effect. Far from every cap all run concurrently, and nothing is read: the
 * worker's leases and its regular look at the run bring the caps ({@link EpisodeTurns.see}). Near one, the number of
 * turns is the number of episodes that the cap's remainder pays for, over all workers; the others wait, and started
 * episodes go first. Each turn is a ledger item.
 */
export class EpisodeTurns {
  readonly #options: EpisodeTurnsOptions
  readonly #runs = new Map<string, RunTurns>()
  readonly #looking = new Map<string, Promise<RunTurns>>()
  readonly #taking = new Set<number>()
  #takes = 0

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
      // Another run of the tenant may need the slot.
      if (isUnlimited(turns)) await this.#drop(turns, episode).catch(() => undefined)
      return 0
    }
    const since = performance.now()
    await this.#drop(turns, episode)
    const waiter = { episode, isStarted: turns.started.has(episode) }
    turns.waiting.push(waiter)
    turns.waiting.sort((one, other) => Number(other.isStarted) - Number(one.isStarted) || compare(one, other))
    this.#options.onWait?.()
    try {
      await this.#wait(run, turns, waiter, signal)
    } finally {
      turns.waiting.splice(turns.waiting.indexOf(waiter), 1)
      wakeAll(turns)
    }
    turns.started.add(episode)
    return performance.now() - since
  }

  async leave(run: string, episode: string): Promise<void> {
    const turns = this.#runs.get(run)
    if (turns === undefined) return
    turns.started.delete(episode)
    try {
      await this.#drop(turns, episode)
    } finally {
      // If the deletion failed, the next take of this worker frees the slot.
      turns.held.delete(episode)
    }
  }

  forget(run: string): void {
    const turns = this.#runs.get(run)
    if (turns !== undefined && turns.held.size === 0 && turns.waiting.length === 0) this.#runs.delete(run)
  }

  get waiting(): number {
    return [...this.#runs.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  isNear(run: string): boolean {
    const turns = this.#runs.get(run)
    return turns !== undefined && (turns.isStale || !isUnlimited(turns))
  }

  renew(run: string): void {
    const turns = this.#runs.get(run)
    if (turns !== undefined) turns.isStale = true
  }

  update({ id, revision }: RunRow): void {
    if (this.#runs.get(id)?.row.revision !== revision) this.renew(id)
  }

  see(row: RunRow, caps: readonly Caps[]): void {
    const turns = this.#runs.get(row.id)
    if (turns === undefined || turns.isStale) return
    const { affordable, caps: earlier } = turns
    affordable.spentAtMost = plus(affordable.spentAtMost, leasedSince(earlier, caps))
    turns.row = row
    turns.caps = caps
    turns.isStale = caps.some(({ revision }, index) => revision !== earlier[index]?.revision) || !isFar(turns)
  }

  note(run: string, bound: Amount): void {
    const turns = this.#runs.get(run)
    if (turns === undefined) return
    raise(turns, bound)
    if (!isMuchMore(turns.bound, turns.showing)) return
    turns.showing = turns.bound
    for (const [episode, turn] of turns.held) this.#showBound(turns, episode, turn)
  }

  async #wait(run: string, turns: RunTurns, waiter: Waiter, signal: AbortSignal): Promise<void> {
    await this.#options.hold(run)
    const since = performance.now()
    const isFirst = () => turns.waiting[0] === waiter
    for (;;) {
      signal.throwIfAborted()
      if (this.#mayGoOn(turns, waiter.episode)) return
      const mayTake = isFirst() && (waiter.isStarted || performance.now() - since >= deference)
      if (mayTake && (await this.#take(run, turns, waiter.episode))) return
      if (turns.held.size === 0 && isFirst()) await this.#options.giveBack(run)
      await this.#untilLooked(run, turns, isFirst, signal)
    }
  }

  async #untilLooked(
    run: string,
    turns: RunTurns,
    isFirst: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    if (!isFirst()) {
      await untilWoken(turns, signal)
      await this.#look(run)
      return
    }
    await delay(lookEvery.waiting, undefined, { signal })
    turns.isStale = true
    try {
      await this.#look(run)
    } finally {
      wakeAll(turns)
    }
  }

  #mayGoOn(turns: RunTurns, episode: string): boolean {
    if (isUnlimited(turns)) return true
    const turn = turns.held.get(episode)
    return turn !== undefined && turn.slot < turns.affordable.episodes
  }

  async #look(run: string): Promise<RunTurns> {
    const known = this.#runs.get(run)
    if (known !== undefined && !known.isStale && (isFar(known) || isRecent(known))) return known
    const looking = this.#looking.get(run) ?? this.#lookNow(run, known)
    this.#looking.set(run, looking)
    try {
      return await looking
    } finally {
      if (this.#looking.get(run) === looking) this.#looking.delete(run)
    }
  }

  async #lookNow(run: string, known: RunTurns | undefined): Promise<RunTurns> {
    // A reason to check again that comes meanwhile counts for the next check.
    if (known !== undefined) known.isStale = false
    try {
      return await this.#read(run, known)
    } catch (error) {
      if (known !== undefined) known.isStale = true
      throw error
    }
  }

  async #read(run: string, known: RunTurns | undefined): Promise<RunTurns> {
    const { store, world } = this.#options
    const row = await store.get(run)
    if (row.status !== 'running') throw new EpisodeStoppedError('paused', `The run is ${row.status}.`)
    const caps = await readCaps(world, row)
    const affordable = await affordableEpisodes(world.ledger, row, caps, known ? priceOf(known) : null)
    const seen = { row, caps, affordable, lookedAt: performance.now() }
    const turns = this.#runs.get(run)
    if (turns !== undefined) return Object.assign(turns, seen)
    const made: RunTurns = {
      ...seen,
      isStale: false,
      bound: null,
      shown: null,
      showing: null,
      held: new Map(),
      started: new Set(),
      waiting: [],
      woken: Promise.withResolvers(),
    }
    this.#runs.set(run, made)
    return made
  }

  async #take(run: string, turns: RunTurns, episode: string): Promise<boolean> {
    const { ledger } = this.#options.world
    const { worker } = this.#options
    const { affordable, row } = turns
    const own = new Set([...turns.held.values()].map(({ key }) => nameOf(key)))
    for (let slot = 0; slot < affordable.episodes; slot += 1) {
      const key =
        affordable.of === 'tenant' ? ledgerKeys.tenantTurn(row.tenant, slot) : ledgerKeys.turn(run, slot)
      if (own.has(nameOf(key))) continue
      this.#takes += 1
      const take = this.#takes
      this.#taking.add(take)
      try {
        const set = { run, episode, worker, take }
        const taken = await ledger.update({ key, if: [{ is: 'absent' }], set })
        if (taken.ok) {
          const turn = { slot, key, take }
          turns.held.set(episode, turn)
          this.#showBound(turns, episode, turn)
          return true
        }
      } finally {
        this.#taking.delete(take)
      }
      const turn = (await ledger.get(key)) as TurnRow | null
      if (turn === null) continue
      if (turn.run === run && turn.call_cost !== undefined) {
        turns.shown = { cost: turn.call_cost, tokens: turn.call_tokens ?? 0 }
        turns.isStale ||= !isFar(turns)
      }
      await this.#free(key, turn)
    }
    return false
  }

  /**
   * Writes the bound beside a turn, for workers that have made no call. Without it they wait longer. An episode that
   * has ended is a better price.
   */
  #showBound({ bound, row }: RunTurns, episode: string, { key, take }: Turn): void {
    if (bound === null || row.done > 0) return
    const { world, worker } = this.#options
    const set = { call_cost: bound.cost, call_tokens: bound.tokens }
    const condition = ownedBy({ worker, episode, take })
    world.ledger.update({ key, set, if: condition }).catch(() => undefined)
  }

  /**
   * Deletes a turn without a holder: one of a dead worker, or one of this worker whose take was answered by an error,
   * or whose deletion failed.
   */
  async #free(key: LedgerKey, turn: TurnRow): Promise<void> {
    const { ledger } = this.#options.world
    const isHeld =
      turn.worker === this.#options.worker
        ? this.#isOwn(turn)
        : (await ledger.get(ledgerKeys.holding(turn.worker, turn.run))) !== null
    if (!isHeld) await ledger.update({ key, delete: true, if: ownedBy(turn) })
  }

  #isOwn({ run, episode, take }: TurnRow): boolean {
    if (take !== undefined && this.#taking.has(take)) return true
    return this.#runs.get(run)?.held.get(episode)?.take === take
  }

  async #drop(turns: RunTurns, episode: string): Promise<void> {
    const turn = turns.held.get(episode)
    if (turn === undefined) return
    const { world, worker } = this.#options
    const { key, take } = turn
    await world.ledger.update({ key, delete: true, if: ownedBy({ worker, episode, take }) })
    if (turns.held.get(episode) === turn) turns.held.delete(episode)
  }
}

interface TurnRow {
  run: string
  episode: string
  worker: string
  /** Numbers the takes of a worker. Absent in rows of earlier versions. */
  take?: number
  /** The upper bound of a call. Absent until the run's first call, and in rows of earlier versions. */
  call_cost?: number
  call_tokens?: number
}

function raise(turns: RunTurns, bound: Amount): void {
  const { cost, tokens } = turns.bound ?? { cost: 0, tokens: 0 }
  if (turns.bound !== null && bound.cost <= cost && bound.tokens <= tokens) return
  turns.bound = { cost: Math.max(cost, bound.cost), tokens: Math.max(tokens, bound.tokens) }
  turns.isStale ||= !isFar(turns)
}

function ownedBy({ worker, episode, take }: Pick<TurnRow, 'worker' | 'episode' | 'take'>): LedgerCondition[] {
  return [
    ...(take === undefined ? [] : [{ attribute: 'take', is: 'equal' as const, value: take }]),
    { attribute: 'worker', is: 'equal' as const, value: worker },
    { attribute: 'episode', is: 'equal' as const, value: episode },
  ]
}

function isMuchMore(bound: Amount | null, than: Amount | null): boolean {
  if (bound === null || than === null) return bound !== null
  return bound.cost > 2 * than.cost || bound.tokens > 2 * than.tokens
}

/** The own bound, if there is one: another worker may call dearer models, or show any number. */
function priceOf({ bound, shown }: RunTurns): Amount | null {
  return bound ?? shown
}

function isUnlimited({ affordable }: RunTurns): boolean {
  return affordable.episodes === Number.POSITIVE_INFINITY
}

function isFar(turns: RunTurns): boolean {
  const { affordable, caps, row } = turns
  return isUnlimited(turns) && areCapsFar(row, caps, priceOf(turns), affordable.spentAtMost)
}

function isRecent({ lookedAt }: RunTurns): boolean {
  return performance.now() - lookedAt < lookEvery.idle
}

function wakeAll(turns: RunTurns): void {
  turns.woken.resolve()
  turns.woken = Promise.withResolvers()
}

async function untilWoken({ woken }: RunTurns, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([woken.promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function nameOf({ partition, sort }: LedgerKey): string {
  return `${partition} ${sort}`
}

function compare(one: Waiter, other: Waiter): number {
  return one.episode < other.episode ? -1 : 1
}
