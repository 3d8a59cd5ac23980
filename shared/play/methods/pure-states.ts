import type { JsonObject } from '../../core/contracts/json.ts'
import { wellFormed } from '../../core/contracts/well-formed.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import { findWrongField, findWrongState, refuseWrong } from '../../environments/check-result.ts'
import type {
  EnvironmentFacts,
  IsolatedCore,
  IsolatedEnvironment,
  IsolatedResult,
  KeptState,
  PureCore,
  StepResult,
} from '../../environments/environment.ts'
import { hashState } from '../../environments/hash-state.ts'
import type { NodeStates, StateResult } from './node-states.ts'

/**
 * The states of an environment that plays in this process. A step has no side effects, so it is no effect: each
 * replay computes it again and must get the same result.
 */
export class PureStates implements NodeStates {
  readonly #cores: ReadonlyMap<string, PureCore>
  readonly #seed: number
  readonly #facts: EnvironmentFacts
  readonly #states = new Map<string, { core: PureCore; state: JsonObject; steps: number }>()

  /**
   * @param cores - the rules of each played task, with everything loaded
   * @param facts - the environment's declaration, to which its answers must conform
   */
  constructor(cores: ReadonlyMap<string, PureCore>, seed: number, facts: EnvironmentFacts) {
    this.#facts = facts
    this.#cores = cores
    this.#seed = seed
  }

  async open(task: string, key: string): Promise<StateResult> {
    const core = this.#cores.get(task)
    if (!core) throw new RangeError(`The task "${task}" was not loaded.`)
    const { state, observation } = core.reset(task, this.#seed)
    const answer = { observation, reward: 0, done: false, valid: true, progress: 0 }
    return this.#keep(key, { core, state, steps: 0 }, answer)
  }

  async step(from: string, action: string, key: string): Promise<StateResult> {
    const at = stateAt(this.#states, from)
    const { state, ...answer } = at.core.step(at.state, action)
    return this.#keep(key, { core: at.core, state, steps: at.steps + 1 }, answer)
  }

  async validActions(key: string): Promise<readonly string[] | null> {
    const { core, state } = stateAt(this.#states, key)
    return core.validActions?.(state) ?? null
  }

  #keep(
    key: string,
    at: { core: PureCore; state: JsonObject; steps: number },
    answer: Omit<StepResult<JsonObject>, 'state'>,
  ): StateResult {
    const wrong = findWrongField(answer, this.#facts) ?? findWrongState(at.state)
    refuseWrong(wrong, { environment: this.#facts.id, step: at.steps })
    this.#states.set(key, at)
    return { ...wellFormed(answer), state_hash: hashState(at.state) }
  }

  async close(): Promise<void> {}
}

/** The states of rules in a process of their own, which computes each step again in every replay: it is no effect. */
export class IsolatedStates implements NodeStates {
  readonly #effects: EffectScope
  readonly #environment: IsolatedEnvironment
  readonly #seed: number
  readonly #caller: string
  readonly #states = new Map<string, { core: IsolatedCore; state: KeptState; steps: number }>()

  /** @param options.caller - names the episode: episodes take turns at the processes */
  constructor(
    effects: EffectScope,
    environment: IsolatedEnvironment,
    options: { seed: number; caller: string },
  ) {
    this.#effects = effects
    this.#environment = environment
    this.#seed = options.seed
    this.#caller = options.caller
  }

  async open(task: string, key: string): Promise<StateResult> {
    const core = this.#environment.isolate(task)
    const call = { caller: this.#caller, step: 0 }
    const result = await this.#effects.compute((signal) => core.reset(this.#seed, { ...call, signal }))
    return this.#keep(key, { core, steps: 0 }, result)
  }

  async step(from: string, action: string, key: string): Promise<StateResult> {
    const at = stateAt(this.#states, from)
    const { core, state } = at
    const steps = at.steps + 1
    const call = { caller: this.#caller, step: steps }
    const result = await this.#effects.compute((signal) => core.step(state, action, { ...call, signal }))
    return this.#keep(key, { core, steps }, result)
  }

  async validActions(key: string): Promise<readonly string[] | null> {
    const { core, state, steps: step } = stateAt(this.#states, key)
    const call = { caller: this.#caller, step }
    const found = await this.#effects.compute((signal) => core.validActions(state, { ...call, signal }))
    return found.actions
  }

  #keep(key: string, at: { core: IsolatedCore; steps: number }, result: IsolatedResult): StateResult {
    const { state, observation, reward, done, valid, progress } = result
    this.#states.set(key, { ...at, state })
    return { ...wellFormed({ observation, reward, done, valid, progress }), state_hash: state.hash }
  }

  async close(): Promise<void> {}
}

function stateAt<State>(states: ReadonlyMap<string, State>, key: string): State {
  const at = states.get(key)
  if (!at) throw new RangeError(`There is no state "${key}".`)
  return at
}
