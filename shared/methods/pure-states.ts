import type { JsonObject } from '../contracts/json.ts'
import { findWrongField, findWrongState, refuseWrong } from '../environments/check-result.ts'
import type { EnvironmentFacts, PureCore, StepResult } from '../environments/environment.ts'
import { hashState } from '../environments/hash-state.ts'
import type { NodeStates, StateResult } from './node-states.ts'

/**
 * The states of an environment that is played here: each is kept as it is. A step touches nothing outside, so it is no
 * effect; it is reckoned again in every replay, and must come to the same.
 */
export class PureStates implements NodeStates {
  readonly #cores: ReadonlyMap<string, PureCore>
  readonly #seed: number
  readonly #facts: EnvironmentFacts
  readonly #states = new Map<string, { core: PureCore; state: JsonObject; steps: number }>()

  /**
   * @param cores - the rules of each task that is played, with everything loaded
   * @param facts - of the environment, whose answers are held to them
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
    const at = this.#states.get(from)
    if (!at) throw new RangeError(`There is no state "${from}".`)
    const { state, ...answer } = at.core.step(at.state, action)
    return this.#keep(key, { core: at.core, state, steps: at.steps + 1 }, answer)
  }

  #keep(
    key: string,
    at: { core: PureCore; state: JsonObject; steps: number },
    answer: Omit<StepResult<JsonObject>, 'state'>,
  ): StateResult {
    const wrong = findWrongField(answer, this.#facts) ?? findWrongState(at.state)
    refuseWrong(wrong, { environment: this.#facts.id, step: at.steps })
    this.#states.set(key, at)
    return { ...answer, state_hash: hashState(at.state) }
  }

  async close(): Promise<void> {}
}
