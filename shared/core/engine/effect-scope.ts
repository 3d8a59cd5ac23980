import type { Json, JsonObject } from '../contracts/json.ts'
import type { PromptMessage } from '../contracts/message.ts'
import type { TokenRecord } from '../contracts/token-record.ts'
import type { Usage } from '../contracts/usage.ts'
import type { Random } from '../random/random.ts'

export interface EffectRequest {
  messages?: readonly PromptMessage[]
  settings: Json
}

export interface EffectOutcome<Result extends Json> {
  result: Result
  usage?: Usage
  /** Seconds spent waiting for capacity, which do not count as working time. */
  waited?: number
  // Seconds, of the working time, before an endpoint took the request up: its rate, its slots, pauses before retries.
  held?: number
  tokens?: TokenRecord
}

/**
 * The only interface an episode's function may use. The function runs again from the top on each resume, so it must
 * otherwise be pure: no clock, no unseeded randomness, no outside state, no promise from outside this scope.
 */
export interface EffectScope {
  /**
   * Runs a side effect once: the first time, `perform` runs and its result is committed to the journal; later the
   * journal answers. Promises settle in the journal's order. A failure of `perform` ends the attempt; the function
   * never sees it.
   * @throws RepeatedKeyError if the key names another effect of the episode
   * @param key - unique within the episode and hierarchical, such as `iteration/3/expand/2/sample/1`
   * @param perform - gets two signals: one fires when the worker cannot wait for the answer any longer. The other
   * fires as soon as the episode is to leave, for work not yet begun, such as waiting for capacity
   */
  effect<Result extends Json>(
    key: string,
    request: EffectRequest,
    perform: (signal: AbortSignal, leaving: AbortSignal) => Promise<EffectOutcome<Result>>,
  ): Promise<Result>
  /**
   * Computes a deterministic result outside this thread. The journal does not keep it: a replay computes it again and
   * must get the same. Results arrive in request order and before any effect's, so the order does not depend on how
   * long each took. A failure ends the attempt; the function never sees it.
   * @param perform - begins immediately; gets a signal that fires when the worker cannot wait any longer
   */
  compute<Result>(perform: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /**
   * The ids of the prompt and one answer of a committed model call; null: they are unknown. Only `perform` may wait
   * for it.
   */
  tokensOf(call: string, answer: number): Promise<readonly number[] | null>
  /** Writes a derived entry, such as a node. The next effect commits it, and a replay must write the same again. */
  write(entry: JsonObject): void
  /**
   * Call before each step of a program: settles immediately, or never if the step limit forbids another. Steps that
   * are effects are already bounded, but an environment inside the process steps without an effect.
   */
  beforeStep(): Promise<void>
  random(key: string): Random
  /** Seconds of working time when the last delivered result was committed. */
  elapsed(): number
}

export class RepeatedKeyError extends Error {
  override readonly name = 'RepeatedKeyError'

  constructor(key: string) {
    super(`The effect "${key}" was asked for twice in one episode.`)
  }
}

export class ForeignWaitError extends Error {
  override readonly name = 'ForeignWaitError'

  constructor(subject: string) {
    super(`${subject} waits for something that is not an effect.`)
  }
}
