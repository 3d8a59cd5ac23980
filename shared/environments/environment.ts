import type { JsonObject } from '../contracts/json.ts'

/** One problem of an environment. Ids are stable for ever: results refer to them. */
export interface EnvironmentTask {
  readonly id: string
  /** Splits share no goal. */
  readonly split: string
  /** A label to select and report by, such as a difficulty. */
  readonly type: string
  /** One line for people. */
  readonly description: string
}

export interface ResetResult<State> {
  state: State
  observation: string
}

export interface StepResult<State> {
  state: State
  observation: string
  /** Negative rewards are disasters: search ends there with reward 0. */
  reward: number
  done: boolean
}

/**
 * An environment written as a pure core: state is a JSON value, so that forking is free, a node keeps its state, and any
 * worker goes on from any node. `reset` and `step` must depend on their arguments alone and must not change them.
 *
 * @example
 * const { state, observation } = textcraft.reset('textcraft-0042', 0)
 * const next = textcraft.step(state, 'get 2 oak logs')
 */
export interface PureEnvironment<State extends JsonObject = JsonObject> {
  readonly id: string
  readonly description: string
  readonly snapshot: 'native'
  readonly deterministic: true
  /** The least reward of a success. */
  readonly success_threshold: number
  /** How long a trajectory may get unless a method's parameters say otherwise. */
  readonly default_max_steps: number
  /** All tasks, split by split, in a fixed order. */
  tasks(): readonly EnvironmentTask[]
  /** @throws EspalierError `unknown_task` */
  reset(task: string, seed: number): ResetResult<State>
  step(state: State, action: string): StepResult<State>
}
