/**
 * The reason an episode leaves its worker before its end. It stays as it is and can be resumed. `deadline`: the
 * worker's time is over, as every worker's will be; `shutdown`: the worker is stopped, for reasons outside of the
 * episode.
 */
export type StopReason = 'paused' | 'cancelled' | 'deadline' | 'shutdown' | 'fenced'

export class EpisodeStoppedError extends Error {
  override readonly name = 'EpisodeStoppedError'
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}
