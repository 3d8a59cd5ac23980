import type { JsonObject } from '../contracts/json.ts'
import type { PureCore } from '../environments/environment.ts'
import { hashState } from '../environments/hash-state.ts'
import type { NodeStates, Standing } from './node-states.ts'

/**
 * The states of an environment that is played here: each node keeps its own. A step touches nothing outside, so it is no
 * effect; it is reckoned again in every replay, and must come to the same.
 */
export class PureStates implements NodeStates {
  readonly #core: PureCore
  readonly #task: { id: string; seed: number }
  readonly #states: JsonObject[] = []
  readonly #next = new Map<string, JsonObject>()

  constructor(core: PureCore, task: { id: string; seed: number }) {
    this.#core = core
    this.#task = task
  }

  async open(): Promise<Standing> {
    const { state, observation } = this.#core.reset(this.#task.id, this.#task.seed)
    this.#states[0] = state
    return { observation, reward: 0, done: false, valid: true, progress: 0, state_hash: hashState(state) }
  }

  async step(node: number, action: string, effect: string): Promise<Standing> {
    const { state, ...answer } = this.#core.step(this.#states[node] as JsonObject, action)
    this.#next.set(effect, state)
    return { ...answer, state_hash: hashState(state) }
  }

  settle(node: number, _parent: number, effect: string): void {
    this.#states[node] = this.#next.get(effect) as JsonObject
    this.#next.delete(effect)
  }

  async close(): Promise<void> {}
}
