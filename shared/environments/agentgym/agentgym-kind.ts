import type { Json, JsonObject } from '../../contracts/json.ts'

/** A server's answer to a reset or a step, in the terms of our environments. */
export interface AgentgymReading {
  observation: string
  /** The episode's reward if it ends here. */
  reward: number
  done: boolean
}

/** The protocol of one of AgentGym's servers. */
export interface AgentgymKind {
  readonly description: string
  readonly deterministic: boolean
  readonly default_max_steps: number
  /** The number of tasks on the public server. */
  readonly tasks: number
  /** The body of `POST /create`. If absent, the request has no body. */
  readonly create?: JsonObject
  /** True if the server can close sessions. Otherwise it keeps each one as long as it runs. */
  readonly closes: boolean
  /** Reads a session's number from the answer to its creation. @throws ZodError */
  readId(answer: Json): number
  resetBody(id: number, dataIndex: number): JsonObject
  readReset(answer: Json): AgentgymReading
  stepBody(id: number, action: string): JsonObject
  readStep(answer: Json): AgentgymReading
  /** False if the observation shows that the action was not understood or not possible. */
  isValid(action: string, observation: string): boolean
}
