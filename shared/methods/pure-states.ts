import type { JsonObject } from '../contracts/json.ts'
import type { PureCore } from '../environments/environment.ts'
import { hashState } from '../environments/hash-state.ts'
import type { NodeStates, Standing } from './node-states.ts'

/**
 * The states of an environment that is played here: each is kept as it is. A step touches nothing outside, so it is no
 * effect; it is reckoned again in every replay, and must come to the same.
 */
export class PureStates implements NodeStates {
  readonly #cores: ReadonlyMap<string, PureCore>
  readonly #seed: number
  readonly #states = new Map<string, { core: PureCore; state: JsonObject }>()

  /** @param cores - the rules of each task that is played, with everything loaded */
  constructor(cores: ReadonlyMap<string, PureCore>, seed: number) {
    this.#cores = cores
    this.#seed = seed
  }

  async open(task: string, key: string): Promise<Standing> {
    const core = this.#cores.get(task)
    if (!core) throw new RangeError(`The task "${task}" was not loaded.`)
    const { state, observation } = core.reset(task, this.#seed)
    this.#states.set(key, { core, state })
    return { observation, reward: 0, done: false, valid: true, progress: 0, state_hash: hashState(state) }
  }

  async step(from: string, action: string, key: string): Promise<Standing> {
    const at = this.#states.get(from)
    if (!at) throw new RangeError(`There is no state "${from}".`)
    const { state, ...answer } = at.core.step(at.state, action)
    this.#states.set(key, { core: at.core, state })
    return { ...answer, state_hash: hashState(state) }
  }

  async close(): Promise<void> {}
}
