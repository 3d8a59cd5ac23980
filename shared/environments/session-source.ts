import type { JsonObject } from '../contracts/json.ts'
import type { CaptionQuestion, VerdictQuestion } from '../contracts/model-question.ts'
import type { Picture } from '../contracts/picture.ts'
import type { SessionSnapshot } from '../contracts/session.ts'

type Stored<Question> = Omit<Question, 'pictures'> & { pictures?: Picture[] }

/** What models are to be asked about an answer, with its pictures stored. */
export type StoredQuestions = {
  verdicts: Stored<VerdictQuestion>[][]
  captions: Stored<CaptionQuestion>[]
}

/** What the last step or the reset of a session answered, and the state that it led to. */
export interface SessionResult {
  observation: string
  /** What is seen beside the text; absent where there is nothing. Equal states may be drawn differently. */
  pictures?: Picture[]
  /** What models are to be asked before the reward and the observation hold; absent: nothing. */
  questions?: StoredQuestions
  /** What played it, with its version, where answers may depend on it; of a reset. */
  runtime?: string
  /** A sketch of what the pictures show, for environments that compare a replay by it. */
  screen?: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
  /** Names the state where it is a value; null where states cannot be compared. */
  state_hash: string | null
  /** The state, where it is a value or its host keeps it. */
  snapshot: SessionSnapshot | null
}

/** What an action was chosen by. */
export type SeenResult = Pick<SessionResult, 'observation' | 'screen'>

/**
 * A live session somewhere, at one state of one task. Its calls are made one after the other.
 *
 * @throws SessionLostError from every call, when the session is gone
 */
export interface LiveEnvironment {
  /** Names the host, where it alone keeps the states of its sessions. Absent: a snapshot is good in any session. */
  readonly host?: string | undefined
  /**
   * @param seen What the action was chosen by, where the session showed something else.
   * @throws EspalierError `state_not_kept` where the action needs more than was kept of the state that was gone back to
   */
  step(action: string, signal: AbortSignal, seen?: SeenResult): Promise<SessionResult>
  /**
   * Back to the state of the snapshot; null: to the start of the task.
   *
   * @throws EspalierError `state_not_kept`: where the session is then is not known
   */
  restore(snapshot: SessionSnapshot | null, signal: AbortSignal): Promise<SessionResult>
  /** Gives the session back. Failures are ignored: the server releases it in time. */
  close(): Promise<void>
}

export interface SessionRequest {
  task: string
  seed: number
  /** What the run sets of the environment's rules; absent: nothing. */
  options?: JsonObject
  /** What a host is given for this session beside the files of its task; absent: nothing. */
  files?: Readonly<Record<string, string>>
  /** Identifies the caller and which of its sessions is meant; unique. */
  holder: string
  /** Called each time that there was no room, so that the caller can give up sessions that it does not need now. */
  onNoRoom?: () => void
}

export interface OpenedSession {
  live: LiveEnvironment
  result: SessionResult
}

/** Opens sessions of one environment. */
export interface SessionSource {
  /**
   * Waits as long as there is no room.
   *
   * @param leaving ends the waiting alone: a session that is being opened by then is opened. By default as `signal`
   */
  open(request: SessionRequest, signal: AbortSignal, leaving?: AbortSignal): Promise<OpenedSession>
  /**
   * Opens a session that its caller can do without, where there is room for it now and no one waits for any. Nothing is waited
   * for, and no host is started. `onNoRoom` of the request is called as soon as anyone lacks room: the session is closed then.
   * Absent where sessions are not to be had so.
   *
   * @returns null where there is no room
   */
  openSpare?(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession | null>
}
