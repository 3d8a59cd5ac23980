/**
 * Why an episode leaves its worker before it has ended. It stays as it is and can be taken up again. `deadline`: the worker's
 * time is over, as every worker's will be; `shutdown`: the worker is stopped, for reasons outside of the episode.
 */
export type StopReason = 'paused' | 'cancelled' | 'deadline' | 'shutdown' | 'fenced'

/** Thrown inside an effect to make the episode leave, without that being a failure. */
export class EpisodeStoppedError extends Error {
  override readonly name = 'EpisodeStoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}
