import type { JsonObject } from '../core/contracts/json.ts'
import type { CaptionQuestion, VerdictQuestion } from '../core/contracts/model-question.ts'
import type { Picture } from '../core/contracts/picture.ts'
import type { SessionSnapshot } from '../core/contracts/session.ts'

type Stored<Question> = Omit<Question, 'pictures'> & { pictures?: Picture[] }

export type StoredQuestions = {
  verdicts: Stored<VerdictQuestion>[][]
  captions: Stored<CaptionQuestion>[]
}

export interface SessionResult {
  observation: string
  pictures?: Picture[]
  questions?: StoredQuestions
  /** The environment's software with its version, if answers may depend on it. Only in a reset. */
  runtime?: string
  screen?: string
  /** The requests by which a task on sites was scored: an HTTP Archive in gzip, as base64. */
  trace?: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
  state_hash: string | null
  snapshot: SessionSnapshot | null
}

export type SeenResult = Pick<SessionResult, 'observation' | 'screen'>

/**
 * A live session at one state of one task. Its calls run one after the other.
 * @throws SessionLostError from every call, when the session is gone
 */
export interface LiveEnvironment {
  /** The host's name, if it alone keeps the states of its sessions. Absent: a snapshot is valid in any session. */
  readonly host?: string | undefined
  /**
   * @param seen The observation behind the action, if the session showed another one.
   * @throws EspalierError `state_not_kept` if the action needs more than the restored snapshot kept
   */
  step(action: string, signal: AbortSignal, seen?: SeenResult): Promise<SessionResult>
  /**
   * Restores the state of the snapshot. Null: the start of the task.
   * @throws EspalierError `state_not_kept`: the session's state is then unknown
   */
  restore(snapshot: SessionSnapshot | null, signal: AbortSignal): Promise<SessionResult>
  /** The possible actions; null: the environment does not list them. Absent: no session of its kind does. */
  validActions?(signal: AbortSignal): Promise<readonly string[] | null>
  /** Closes the session. Failures are ignored: the server releases it in time. */
  close(): Promise<void>
}

export interface SessionRequest {
  task: string
  seed: number
  options?: JsonObject
  files?: Readonly<Record<string, string>>
  holder: string
  onNoRoom?: () => void
}

export interface OpenedSession {
  live: LiveEnvironment
  result: SessionResult
}

export interface SessionSource {
  /**
   * Opens a session, and waits as long as there is no room.
   * @param leaving ends only the waiting: a session already being opened is still opened. By default as `signal`
   */
  open(request: SessionRequest, signal: AbortSignal, leaving?: AbortSignal): Promise<OpenedSession>
  /**
   * Opens a session that its caller can do without, if there is room now and no other caller waits for it. It never
   * waits, and starts no host. As soon as another caller lacks room, it calls the request's `onNoRoom`, and the
   * session must be closed. Absent if the source has no spare sessions.
   * @returns null if there is no room
   */
  openSpare?(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession | null>
}
