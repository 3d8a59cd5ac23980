import type { JsonObject } from '../contracts/json.ts'
import type { RunRequest } from '../contracts/run.ts'

/** The states of one task, computed again: the result of a step depends on its arguments alone. */
export interface TaskStates {
  reset(): JsonObject | Promise<JsonObject>
  step(state: JsonObject, action: string): JsonObject | Promise<JsonObject>
  /** The name that a tree gives the state. */
  hash(state: JsonObject): string
}

/** Which task is asked for: one that a run has played. */
export type PlayedTask = Pick<RunRequest, 'environment' | 'environment_options' | 'data' | 'seed'> & {
  task: string
}

/** Why something cannot be known, in a sentence for people. */
export interface Unknown {
  why: string
}

/** Opens the states of a task where its environment can be played here, over the data it was played with. */
export type StatesOf = (played: PlayedTask) => Promise<TaskStates | Unknown>
