import type { JsonObject } from '../../core/contracts/json.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import { findWrongField, refuseWrong } from '../../environments/check-result.ts'
import type { EnvironmentFacts, HostedEnvironment } from '../../environments/environment.ts'
import type { PathStep } from '../../environments/recorded-path.ts'
import { SessionPool } from '../../environments/session-pool.ts'
import type { SessionSource } from '../../environments/session-source.ts'
import { type AskModel, answerQuestions } from './answer-questions.ts'
import type { NodeStates, StateResult } from './node-states.ts'

export interface HostedEpisode {
  facts: EnvironmentFacts & Pick<HostedEnvironment, 'replays' | 'sessions_per_episode'>
  /** Asks models the questions that the environment leaves to them. @default such a question is an error */
  ask?: AskModel
  seed: number
  options?: JsonObject
  holder: string
}

/**
 * Sessions of an episode at one task that can hold different states at the same time. In ExACT's settings for
 * VisualWebArena a search takes as few actions with this many as with any number.
 */
const usualSessions = 8

interface SeenState {
  answer: StateResult
  after: Map<string, SeenState>
}

interface Place {
  pool: SessionPool
  from: string | null
  step: PathStep
  seen: SeenState
}

/**
 * The states of an environment that runs elsewhere. Brings a session to a state when a step is taken there.
 *
 * Every step is an effect: the journal holds its answer, and no replay takes it twice. If the environment is
 * deterministic, repeated actions are answered from earlier answers, without a session. This helps a search that
 * rebuilds its tree before each real step.
 */
export class HostedStates implements NodeStates {
  readonly #effects: EffectScope
  readonly #source: SessionSource
  readonly #episode: HostedEpisode
  readonly #pools = new Map<string, SessionPool>()
  readonly #places = new Map<string, Place>()
  readonly #starts = new Map<string, SeenState>()
  readonly #listed = new Map<string, Promise<string[] | null>>()

  constructor(effects: EffectScope, source: SessionSource, episode: HostedEpisode) {
    this.#effects = effects
    this.#source = source
    this.#episode = episode
  }

  async open(task: string, key: string): Promise<StateResult> {
    const { seed, options } = this.#episode
    const pool = this.#pool(task)
    const request = { settings: { task, seed, ...(options && { options }) } }
    const stateResult = await this.#effects.effect<StateResult>(
      `${key}/open`,
      request,
      async (...signals) => ({
        result: this.#checked(await pool.open(...signals), 0),
        waited: pool.takeWaited(),
      }),
    )
    const seen = remember(this.#starts, task, stateResult)
    this.#places.set(key, { pool, from: null, step: { action: null, answer: stateResult }, seen })
    return answerQuestions(stateResult, key, this.#episode.ask)
  }

  async step(from: string, action: string, key: string): Promise<StateResult> {
    const { pool, seen } = this.#place(from)
    const request = { settings: { from, action } }
    const stateResult = await this.#effects.effect<StateResult>(
      `${key}/step`,
      request,
      async (...signals) => ({
        result: this.#seenAfter(seen, action) ?? (await this.#take(pool, this.#path(from), action, signals)),
        waited: pool.takeWaited(),
      }),
    )
    const next = remember(seen.after, action, stateResult)
    // Among equal answers, the first one identifies a state that a host keeps.
    const answer = this.#episode.facts.deterministic ? next.answer : stateResult
    this.#places.set(key, { pool, from, step: { action, answer }, seen: next })
    return answerQuestions(stateResult, key, this.#episode.ask)
  }

  validActions(at: string): Promise<readonly string[] | null> {
    const { pool } = this.#place(at)
    const known = this.#listed.get(at)
    if (known) return known
    const request = { settings: { at } }
    const listing = this.#effects.effect<string[] | null>(`${at}/actions`, request, async (...signals) => {
      const actions = await pool.validActions(this.#path(at), ...signals)
      return { result: actions && [...actions], waited: pool.takeWaited() }
    })
    this.#listed.set(at, listing)
    return listing
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()))
  }

  /**
   * One pool for each task; each has its own name for its places on hosts. If there is no room for its first session,
   * the other pools release theirs. Otherwise, episodes that hold sessions and wait for more could deadlock.
   */
  #pool(task: string): SessionPool {
    const known = this.#pools.get(task)
    if (known) return known
    const { holder, seed, options, facts } = this.#episode
    const others = this.#pools.size
    const pool: SessionPool = new SessionPool(this.#source, {
      id: task,
      seed,
      ...(options && { options }),
      ...(facts.replays && { replays: facts.replays }),
      // States that are values, or that are never revisited, need one session.
      sessions: facts.snapshot === 'replay' ? (facts.sessions_per_episode ?? usualSessions) : 1,
      holder: others === 0 ? holder : `${holder}/${others}`,
      onNoRoom: () => {
        for (const each of this.#pools.values()) each.rest()
      },
    })
    this.#pools.set(task, pool)
    return pool
  }

  async #take(
    pool: SessionPool,
    path: PathStep[],
    action: string,
    signals: [AbortSignal, AbortSignal],
  ): Promise<StateResult> {
    return this.#checked(await pool.step(path, action, ...signals), path.length)
  }

  #seenAfter({ after }: SeenState, action: string): StateResult | undefined {
    return this.#episode.facts.deterministic ? after.get(action)?.answer : undefined
  }

  #checked(answer: StateResult, step: number): StateResult {
    const { facts } = this.#episode
    refuseWrong(findWrongField(answer, facts), { environment: facts.id, step })
    return answer
  }

  #place(key: string): Place {
    const place = this.#places.get(key)
    if (!place) throw new RangeError(`There is no state "${key}".`)
    return place
  }

  #path(key: string): PathStep[] {
    const path: PathStep[] = []
    for (let at: string | null = key; at !== null; ) {
      const { from, step }: Place = this.#place(at)
      path.push(step)
      at = from
    }
    return path.reverse()
  }
}

function remember(states: Map<string, SeenState>, name: string, answer: StateResult): SeenState {
  const state = states.get(name) ?? { answer, after: new Map() }
  states.set(name, state)
  return state
}
