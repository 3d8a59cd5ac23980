import type { EspalierError } from '../../shared/contracts/errors.ts'
import type { Json, JsonObject } from '../../shared/contracts/json.ts'
import type { ModelQuestions } from '../../shared/contracts/model-question.ts'
import type { SentPicture } from '../../shared/contracts/picture.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'
import type { SeenResult } from '../../shared/environments/session-source.ts'

/** What a reset or a step answered. */
export interface BackendAnswer {
  observation: string
  /** What is seen beside the text, such as a screenshot. */
  pictures?: SentPicture[]
  /** What models are to be asked before the reward and the observation hold. */
  questions?: ModelQuestions
  /** What plays it, with its version, where answers may depend on it; of a reset. */
  runtime?: string
  /** A sketch of what the pictures show, to compare a replay by. */
  screen?: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
}

/** The state as a value: what environments have whose sessions can be copied. */
export interface ValueState {
  read(): JsonObject
  write(state: JsonObject): void
  /** Another backend at the same state. */
  copy(): SessionBackend
}

/** States that this process keeps as far as it can, to go back to without their actions. */
export interface KeptStateAccess {
  /** @returns what names the state that the session is at; null where it cannot be gone back to exactly */
  keep(): Promise<JsonObject | null>
  /**
   * @returns what is shown there
   * @throws EspalierError `state_not_kept`; a reset comes next then
   */
  restore(state: JsonObject): Promise<string>
}

/**
 * Where the state of one session is: a value in this process, or a program outside. Its calls are made one after the other.
 *
 * @throws BackendLostError when what it holds is gone; EspalierError for what a user can correct
 */
export interface SessionBackend {
  /** To the start of the task. */
  reset(): BackendAnswer | Promise<BackendAnswer>
  /**
   * @param seen What the action was chosen by, where the session showed something else.
   * @throws EspalierError `state_not_kept` where the action needs more than was kept of an earlier state; a reset comes next then
   */
  step(action: string, seen?: SeenResult): BackendAnswer | Promise<BackendAnswer>
  /** The actions that are understood and possible now; null where they cannot be listed. */
  validActions(): readonly string[] | null | Promise<readonly string[] | null>
  /** Details of the environment's state beside the observation, by name; null where it does not know the name. */
  inspect?(what: string): Promise<Json | null>
  readonly value?: ValueState
  /** Of those whose state is no value. */
  readonly kept?: KeptStateAccess
  /** Ends the call that is under way, with an error, before the session is closed. */
  interrupt?(): void
  /** Never fails. */
  close(): void | Promise<void>
}

export interface BackendRequest {
  task: string
  seed: number
  /** The files of a data pack that the task needs, as text, by path. */
  files?: Readonly<Record<string, string>>
  /** What is set of the environment's rules, not yet checked; absent: nothing. */
  options?: JsonObject
}

/** An environment as a host serves it. */
export interface ServedEnvironment {
  readonly id: string
  facts(): Promise<EnvironmentFacts>
  /**
   * A backend for one session, which is not reset yet.
   *
   * @throws EspalierError `unknown_task`
   */
  open(request: BackendRequest): Promise<SessionBackend>
  /**
   * A backend in the place of an earlier one of a session that is over, where that is faster than {@link open}.
   *
   * @returns null where it cannot; the earlier one is closed then
   */
  takeOver?(request: BackendRequest, earlier: SessionBackend): Promise<SessionBackend | null>
  /** Whether another session may meet what one of this host has left, or will leave. */
  isSpent?(): boolean
  /** Ends the programs that it started. */
  stop?(): Promise<void>
}

/** What a backend held is gone for good, such as a program that has ended. */
export class BackendLostError extends Error {
  override readonly name = 'BackendLostError'
  /** The error to answer, where the same would happen again in another session. */
  readonly answer: EspalierError | undefined

  constructor(message: string, answer?: EspalierError) {
    super(message)
    this.answer = answer
  }
}
