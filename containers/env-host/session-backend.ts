import type { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import type { ModelQuestions } from '../../shared/core/contracts/model-question.ts'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'
import type { SeenResult } from '../../shared/environments/session-source.ts'

export interface BackendAnswer {
  observation: string
  pictures?: SentPicture[]
  questions?: ModelQuestions
  runtime?: string
  screen?: string
  trace?: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
}

export interface ValueState {
  read(): JsonObject
  write(state: JsonObject): void
  copy(): SessionBackend
}

export interface KeptStateAccess {
  keep(): Promise<JsonObject | null>
  /**
   * @returns the observation there
   * @throws EspalierError `state_not_kept`; a reset comes next then
   */
  restore(state: JsonObject): Promise<string>
}

/**
 * Holds the state of one session: a value in this process, or an external program. Its calls do not overlap.
 * @throws BackendLostError when its state is gone; EspalierError for faults that a user can correct
 */
export interface SessionBackend {
  reset(): BackendAnswer | Promise<BackendAnswer>
  /**
   * @param seen The observation by which the action was chosen, if the session showed a different one.
   * @throws EspalierError `state_not_kept` if the action needs more than was kept of an earlier state; a reset comes
   * next then
   */
  step(action: string, seen?: SeenResult): BackendAnswer | Promise<BackendAnswer>
  validActions(): readonly string[] | null | Promise<readonly string[] | null>
  inspect?(what: string): Promise<Json | null>
  readonly value?: ValueState
  readonly kept?: KeptStateAccess
  interrupt?(): void
  close(): void | Promise<void>
}

export interface BackendRequest {
  task: string
  seed: number
  files?: Readonly<Record<string, string>>
  options?: JsonObject
}

export interface ServedEnvironment {
  readonly id: string
  facts(): Promise<EnvironmentFacts>
  /**
   * Creates a backend for one session, not reset yet.
   * @throws EspalierError `unknown_task`
   */
  open(request: BackendRequest): Promise<SessionBackend>
  /**
   * Reuses the backend of an ended session, if that is faster than {@link open}.
   * @returns null if it cannot; the earlier one is then closed
   */
  takeOver?(request: BackendRequest, earlier: SessionBackend): Promise<SessionBackend | null>
  /** True if another session may encounter traces that a session of this host has left, or will leave. */
  isSpent?(): boolean
  stop?(): Promise<void>
}

export class BackendLostError extends Error {
  override readonly name = 'BackendLostError'
  readonly answer: EspalierError | undefined

  constructor(message: string, answer?: EspalierError) {
    super(message)
    this.answer = answer
  }
}
