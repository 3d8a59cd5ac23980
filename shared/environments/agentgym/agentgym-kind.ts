import type { Json, JsonObject } from '../../contracts/json.ts'

/** What a reset or a step of a server says, in the terms of an environment here. */
export interface AgentgymReading {
  observation: string
  /** What the episode earns if it ends here. */
  reward: number
  done: boolean
}

/** How one of AgentGym's servers is spoken to. */
export interface AgentgymKind {
  readonly description: string
  readonly deterministic: boolean
  readonly default_max_steps: number
  /** How many tasks the public server has. */
  readonly tasks: number
  /** The body of `POST /create`; the server wants none where it is absent. */
  readonly create?: JsonObject
  /** Whether it lets go of sessions; others keep each for as long as they run. */
  readonly closes: boolean
  /** The number of a session, in the answer to its creation. @throws ZodError */
  readId(answer: Json): number
  resetBody(id: number, dataIndex: number): JsonObject
  /** @throws ZodError */
  readReset(answer: Json): AgentgymReading
  stepBody(id: number, action: string): JsonObject
  /** @throws ZodError */
  readStep(answer: Json): AgentgymReading
  /** Whether an action was understood and possible, as far as it shows. */
  isValid(action: string, observation: string): boolean
}
