import type { JsonObject } from '../../core/contracts/json.ts'
import type { RunRequest } from '../../core/contracts/run.ts'

/** The states of one task, computed again: the result of a step depends on its arguments alone. */
export interface TaskStates {
  reset(): JsonObject | Promise<JsonObject>
  step(state: JsonObject, action: string): JsonObject | Promise<JsonObject>
  hash(state: JsonObject): string
}

export type PlayedTask = Pick<RunRequest, 'environment' | 'environment_options' | 'data' | 'seed'> & {
  task: string
}

export interface Unknown {
  why: string
}

export type StatesOf = (played: PlayedTask) => Promise<TaskStates | Unknown>
