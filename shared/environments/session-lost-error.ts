/**
 * A session is gone: its host stopped, or released it. Another session, restored to the same state, can replace it.
 */
export class SessionLostError extends Error {
  /** Results store this name, so it must not change. */
  override readonly name = 'SessionLost'
  readonly transient = true
}
