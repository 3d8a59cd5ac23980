import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { EnvironmentGuide } from '../environment.ts'

export interface AgentgymReading {
  observation: string
  /** The episode's total reward if it ends here. */
  reward: number
  done: boolean
}

export interface AgentgymKind {
  readonly guide: EnvironmentGuide
  readonly description: string
  readonly deterministic: boolean
  readonly default_max_steps: number
  readonly tasks: number
  /** The body of `POST /create`. If absent, the request has no body. */
  readonly create?: JsonObject
  /** True if the server can close sessions. Otherwise it keeps each one as long as it runs. */
  readonly closes: boolean
  readId(answer: Json): number
  resetBody(id: number, dataIndex: number): JsonObject
  readReset(answer: Json): AgentgymReading
  stepBody(id: number, action: string): JsonObject
  readStep(answer: Json): AgentgymReading
  isValid(action: string, observation: string): boolean
}
