import type { Json, JsonObject } from '../contracts/json.ts'
import type { Message } from '../contracts/message.ts'
import type { Usage } from '../contracts/usage.ts'
import type { Random } from '../random/random.ts'

/** What an effect asks for. Its digest is kept with the result, so that a replay cannot be given another answer. */
export interface EffectRequest {
  /** Kept once per episode, however many requests hold them. */
  messages?: readonly Message[]
  settings: Json
}

export interface EffectOutcome<Result extends Json> {
  result: Result
  usage?: Usage
  /** Seconds that it waited for room, which are no working time. */
  waited?: number
}

/**
 * All that an episode's function may touch. The function runs again from the top whenever the episode is picked up, so
 * apart from this scope it must be pure: no clock, no unseeded randomness, no state outside of it, no promise that is not
 * of this scope.
 */
export interface EffectScope {
  /**
   * Does something outside, once: the first time `perform` runs and its result is committed to the journal; from then on
   * the journal answers. Promises settle in the journal's order. A failure of `perform` ends the attempt; the function
   * never sees it.
   *
   * @throws RepeatedKeyError where the key names another effect of the episode
   * @param key - unique within the episode and hierarchical, such as `iteration/3/expand/2/sample/1`
   * @param perform - gets a signal that fires when the worker cannot wait for the answer any longer, and one that fires as
   * soon as the episode is to leave, for what has not begun by then, such as waiting for room
   */
  effect<Result extends Json>(
    key: string,
    request: EffectRequest,
    perform: (signal: AbortSignal, leaving: AbortSignal) => Promise<EffectOutcome<Result>>,
  ): Promise<Result>
  /**
   * Has something computed outside this thread that follows from what is known. It is not kept: a replay computes it again,
   * and must come to the same. Results come in the order in which they were asked for, and before any effect's, so that the
   * order of things does not depend on how long each took. A failure ends the attempt; the function never sees it.
   *
   * @param perform - begins at once; gets a signal that fires when the worker cannot wait any longer
   */
  compute<Result>(perform: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  /**
   * Writes something down that follows from what is known, such as a node. It is committed with the next effect, and a
   * replay must write the same again.
   */
  write(entry: JsonObject): void
  /**
   * Comes before each step of a program: settles at once, or never where the limit on steps forbids another. Steps that are
   * effects are bounded as such, but an environment that is played here takes its steps without one.
   */
  beforeStep(): Promise<void>
  /** Numbers that are the same in every replay; generators of different keys are independent. */
  random(key: string): Random
  /** Seconds of working time when the last delivered result was committed. */
  elapsed(): number
}

/** One key names two effects of an episode, so that a replay could not distinguish them. */
export class RepeatedKeyError extends Error {
  override readonly name = 'RepeatedKeyError'

  constructor(key: string) {
    super(`The effect "${key}" was asked for twice in one episode.`)
  }
}

/** The episode's function waits, and no effect is under way that could wake it. */
export class ForeignWaitError extends Error {
  override readonly name = 'ForeignWaitError'

  /** @param subject what is played */
  constructor(subject: string) {
    super(`${subject} waits for something that is not an effect.`)
  }
}
