import type { JsonObject } from '../contracts/json.ts'
import type { SessionSnapshot } from '../contracts/session.ts'

/** Where a session stands, and what its last step or its reset said. */
export interface SessionStanding {
  observation: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
  /** Names the state where it is a value; null where states cannot be told. */
  state_hash: string | null
  /** The state as a value, where the environment can give it. */
  snapshot: SessionSnapshot | null
}

/**
 * A live session somewhere, at one state of one task. Its calls are made one after the other.
 *
 * @throws SessionLost from every call, when the session is gone
 */
export interface LiveEnvironment {
  step(action: string, signal: AbortSignal): Promise<SessionStanding>
  /** Back to where the snapshot was taken; null: to the start of the task. */
  restore(snapshot: SessionSnapshot | null, signal: AbortSignal): Promise<SessionStanding>
  /** Gives the session back. Failures to do so are nobody's concern: it is let go of in time. */
  close(): Promise<void>
}

export interface SessionRequest {
  task: string
  seed: number
  /** What the run sets of the environment's rules; absent: nothing. */
  options?: JsonObject
  /** Names who asks and for which of its sessions, and nobody else. */
  holder: string
  /** Told each time that there was no room, so that whoever asks can give up other sessions which it does not need now. */
  onNoRoom?: () => void
}

/** Opens sessions of one environment. */
export interface SessionSource {
  /**
   * Waits as long as there is no room.
   *
   * @param leaving ends the waiting alone: a session that is being opened by then is opened. By default as `signal`
   */
  open(
    request: SessionRequest,
    signal: AbortSignal,
    leaving?: AbortSignal,
  ): Promise<{ live: LiveEnvironment; standing: SessionStanding }>
}
