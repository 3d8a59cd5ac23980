import { EspalierError } from '../../core/contracts/errors.ts'
import type { PlayRequest, PlayTurn } from '../../core/contracts/play-session.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { Serially } from '../../core/engine/serially.ts'
import type { World } from '../../core/world/ports.ts'
import type { EnvironmentTask } from '../environment.ts'
import type { Environments, OpenEnvironment } from '../open-environments.ts'
import { SessionPool } from '../session-pool.ts'
import type { SessionSource } from '../session-source.ts'
import { HandPlay } from './hand-play.ts'

export interface PlayOwner {
  tenant: string
  key: string | null
}

/**
 * `all`: sessions of the service. `rest`, `end`: milliseconds without an action, until it gives its place on a host back,
 * and until it ends. `answer`: milliseconds for one request, the start of a host included.
 */
export interface PlayLimits {
  all: number
  tenant: number
  steps: number
  rest: number
  end: number
  answer: number
}

export const playLimits: PlayLimits = {
  all: 16,
  tenant: 4,
  steps: 200,
  rest: 60_000,
  end: 30 * 60_000,
  answer: 120_000,
}

interface Held {
  owner: PlayOwner
  played: HandPlay
  used: number
  resting: boolean
}

export interface PlaySessionsNeeds {
  environments: Pick<Environments, 'open'>
  sessions: (opened: OpenEnvironment) => SessionSource
  clock: Pick<World['clock'], 'now'>
  limits?: Partial<PlayLimits>
}

/**
 * Tasks that people play by hand, in this process's memory: they end with the service. Rules run on hosts, as those of
 * runs do. An idle session gives its place on a host back, so that runs get it, and returns to its state
 * by snapshot or replay.
 */
export class PlaySessions {
  readonly #needs: PlaySessionsNeeds
  readonly #limits: PlayLimits
  readonly #held = new Map<string, Held>()
  readonly #turns = new Serially()
  readonly #closing = new AbortController()
  readonly #opening = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(needs: PlaySessionsNeeds) {
    this.#needs = needs
    this.#limits = { ...playLimits, ...needs.limits }
  }

  get open(): number {
    return this.#held.size
  }

  /**
   * @throws EspalierError `unknown_environment`, `unknown_task`; `limits_exceeded` when too many are open;
   * `host_timed_out` if no host has a place for it in time
   */
  async create(owner: PlayOwner, request: PlayRequest): Promise<HandPlay> {
    this.#refuseMore(owner.tenant)
    this.#count(owner.tenant, 1)
    try {
      const { data, environment, environment_options } = request
      const opened = await this.#needs.environments.open(environment, data, environment_options)
      const task = findTask(opened, request.task)
      const id = newIdentifier('session', this.#needs.clock.now())
      const played = new HandPlay({
        id,
        opened,
        task,
        seed: request.seed,
        pool: this.#poolFor(id, opened, request),
        mostSteps: this.#limits.steps,
      })
      await this.#within((signal) => played.start(signal), played)
      this.#held.set(id, { owner, played, used: this.#needs.clock.now(), resting: false })
      this.#timer ??= setInterval(() => this.look(), Math.min(5000, this.#limits.rest)).unref()
      return played
    } finally {
      this.#count(owner.tenant, -1)
    }
  }

  /** @throws EspalierError `unknown_session` for one that ended, or that is another owner's */
  get(owner: PlayOwner, id: string): { played: HandPlay; expiresAt: number } {
    const { played, used } = this.#find(owner, id)
    return { played, expiresAt: used + this.#limits.end }
  }

  /**
   * Takes a turn. Turns of a session wait for each other.
   * @throws EspalierError as `get`; `step_conflict` if another turn came first; `session_done` after the task's end
   */
  async turn(owner: PlayOwner, id: string, turn: PlayTurn): Promise<void> {
    await this.#turns.run(id, async () => {
      const held = this.#find(owner, id)
      this.#touch(held)
      await this.#within((signal) => held.played.turn(turn, signal))
      this.#touch(held)
    })
  }

  async end(owner: PlayOwner, id: string): Promise<void> {
    const { played } = this.#find(owner, id)
    this.#held.delete(id)
    await played.close()
  }

  look(): void {
    const now = this.#needs.clock.now()
    for (const [id, held] of this.#held) {
      const idle = now - held.used
      if (idle >= this.#limits.end) {
        this.#held.delete(id)
        void held.played.close()
      } else if (idle >= this.#limits.rest && !held.resting) {
        held.resting = true
        held.played.rest()
      }
    }
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#closing.abort(new EspalierError('unknown_session', 'The service is closing, and its sessions end.'))
    const held = [...this.#held.values()]
    this.#held.clear()
    await Promise.all(held.map(({ played }) => played.close()))
  }

  #find({ key, tenant }: PlayOwner, id: string): Held {
    const held = this.#held.get(id)
    if (held !== undefined && held.owner.tenant === tenant && held.owner.key === key) return held
    const minutes = Math.round(this.#limits.end / 60_000)
    throw new EspalierError(
      'unknown_session',
      `There is no session ${id} of yours: it was ended, it had no turn for ${minutes} minutes, or the service was started again. Start the task once more.`,
      { param: 'session' },
    )
  }

  #touch(held: Held): void {
    held.used = this.#needs.clock.now()
    held.resting = false
  }

  #count(tenant: string, more: 1 | -1): void {
    this.#opening.set(tenant, (this.#opening.get(tenant) ?? 0) + more)
  }

  #refuseMore(tenant: string): void {
    const own = [...this.#held.values()].filter(({ owner }) => owner.tenant === tenant).length
    const isOwn = own + (this.#opening.get(tenant) ?? 0) >= this.#limits.tenant
    const opening = [...this.#opening.values()].reduce((sum, each) => sum + each, 0)
    if (!isOwn && this.#held.size + opening < this.#limits.all) return
    throw new EspalierError(
      'limits_exceeded',
      isOwn
        ? `${this.#limits.tenant} tasks are being played by hand already, as many as a tenant may. End one, or wait until one has ended.`
        : `${this.#limits.all} tasks are being played by hand on this service, as many as it holds. Wait until one has ended.`,
    )
  }

  #poolFor(id: string, opened: OpenEnvironment, { seed, task }: PlayRequest): SessionPool {
    const { environment, options } = opened
    const replays = 'replays' in environment ? environment.replays : undefined
    return new SessionPool(this.#needs.sessions(opened), {
      id: task,
      seed,
      holder: `play/${id}`,
      ...(options && { options }),
      ...(replays && { replays }),
    })
  }

  async #within(work: (signal: AbortSignal) => Promise<void>, opening?: HandPlay): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.answer)])
    try {
      await work(signal)
      this.#closing.signal.throwIfAborted()
    } catch (error) {
      if (opening !== undefined) await opening.close()
      this.#closing.signal.throwIfAborted()
      if (!signal.aborted) throw error
      throw new EspalierError(
        'host_timed_out',
        `The environment did not answer within ${this.#limits.answer / 1000} seconds: its host may still be starting, or runs may have all places. Try again.`,
        { cause: error },
      )
    }
  }
}

function findTask({ environment }: OpenEnvironment, id: string): EnvironmentTask {
  const task = environment.tasks().find((each) => each.id === id)
  if (task !== undefined && task.lacks === undefined) return task
  const missing = task?.lacks?.join(', ')
  throw new EspalierError(
    'unknown_task',
    missing === undefined
      ? `There is no task "${id}" in ${environment.id}. List them: espalier environments ${environment.id} --tasks.`
      : `The task "${id}" cannot be played here: it needs ${missing}.`,
    { param: 'task' },
  )
}
