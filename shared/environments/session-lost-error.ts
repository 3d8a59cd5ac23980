/** A session is gone: its host stopped, or let it go. Another one, brought to the same state, does as well. */
export class SessionLostError extends Error {
  /** Stored in results, so it keeps its first form. */
  override readonly name = 'SessionLost'
  /** The same thing may go well later. */
  readonly transient = true
}
